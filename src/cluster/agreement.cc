#include "cluster/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/hash.h"
#include "cluster/transport/collective.h"

namespace strata::cluster {
namespace {

constexpr size_t kShown = 80;

bool can_be_shown(const std::string& value) {
  return value.size() <= kShown &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string difference(const std::string& one, const std::string& other) {
  return can_be_shown(one) && can_be_shown(other) ? fmt::format(": {} and {}", one, other) : std::string();
}

// The traits as a list, with the index of a trait in place of the rank.
std::string packed(const std::vector<Trait>& traits) {
  std::string bytes;
  for (size_t i = 0; i < traits.size(); ++i) bytes += list_part(static_cast<int>(i), traits[i].value);
  return bytes;
}

}  // namespace

std::string hash_value(uint64_t high, uint64_t low) {
  return low == 0 ? fmt::format("{:016x}", high) : fmt::format("{:016x}{:016x}", high, low);
}

Result<std::string> program_hash() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || bytes.empty()) return Status::system("cannot read the program itself (/proc/self/exe)");
  return hash_value(hash_bytes(bytes.data(), bytes.size()));
}

Status agree(Transport& transport, const std::vector<Trait>& traits) {
  const Result<std::vector<std::string>> all = transport.all_gather(packed(traits));
  if (!all.ok()) return all.status();
  const int count = static_cast<int>(traits.size());
  const std::vector<std::string> first = part_list(all->front(), count);
  for (int rank = 1; rank < transport.ranks(); ++rank) {
    const std::vector<std::string> other = part_list((*all)[static_cast<size_t>(rank)], count);
    for (size_t i = 0; i < traits.size(); ++i)
      if (other[i] != first[i])
        return Status::usage(fmt::format(
            "{} and {} differ in {}{}; start all of them with the same program, files and options",
            transport.rank_text(0), transport.rank_text(rank), traits[i].what,
            difference(first[i], other[i])));
  }
  return {};
}

}  // namespace strata::cluster
