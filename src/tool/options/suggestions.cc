#include "tool/options/suggestions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/text/is_number.h"

namespace strata {
namespace {

// How many characters must be inserted, removed or replaced, or pairs of neighbours exchanged, to make one
// word of the other (optimal string alignment).
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  std::vector<size_t> above = row, next = row;
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) next[j] = std::min(next[j], above[j - 2] + 1);
    }
    above = std::exchange(row, next);
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  // Up to a third of the word may be wrong.
  size_t best_distance = std::max<size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string cmurphi_hint(const std::string& argument) {
  static constexpr std::array<const char*, 31> kWords = {
      "-b",  "-c",   "-d",   "-h",    "-k",    "-l",    "-m",          "-o",         "-s",    "-v",  "-p1",
      "-p2", "-p3",  "-p4",  "-p5",   "-pn",   "-pr",   "-ph",         "-ta",        "-td",   "-tf", "-tn",
      "-tv", "-ndl", "-sym", "-loop", "-vbfs", "-vdfs", "-finderrors", "-errorsmax", "-nosym"};
  // -m1024, -sym3, -loop5
  static constexpr std::array<const char*, 5> kNumbered = {"-m", "-k", "-b", "-sym", "-loop"};
  const auto begins = [&](const char* word) {
    return argument.starts_with(word) && is_number(argument.substr(std::string(word).size()));
  };
  const bool known = std::find(kWords.begin(), kWords.end(), argument) != kWords.end() ||
                     std::any_of(kNumbered.begin(), kNumbered.end(), begins);
  return known ? fmt::format("; did you mean `strata murphi {} MODEL`, which takes CMurphi's options?",
                             argument)
               : "";
}

}  // namespace strata
