#include "lang/common/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace strata::lang {
namespace {

bool equal_but_for_case(std::string_view a, std::string_view b) {
  auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// In short names fewer slips are allowed, because most short names are similar.
size_t allowed_distance(size_t length) { return length < 3 ? 0 : length < 5 ? 1 : 2; }

// Row i of the table holds the distances between the first i letters of a and all prefixes of b. Transposed letters
// need the row before the last one too.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = last[j] + (a[i] == b[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, last[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

}  // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted), best_distance_(allowed_distance(wanted.size()) + 1) {}

void NearestName::offer(std::string_view candidate) {
  size_t longer = std::max(candidate.size(), wanted_.size());
  if (longer - std::min(candidate.size(), wanted_.size()) > 2) return;
  size_t distance = equal_but_for_case(candidate, wanted_) ? 0 : edit_distance(candidate, wanted_);
  // Of equally near names the alphabetically first is chosen, so that the message does not depend on hashing.
  bool better =
      distance < best_distance_ || (distance == best_distance_ && !best_.empty() && candidate < best_);
  if (!better) return;
  best_ = candidate;
  best_distance_ = distance;
}

}  // namespace strata::lang
