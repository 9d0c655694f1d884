#include "search/checked/age_choice.h"

#include <algorithm>
#include <numeric>

namespace strata {

std::vector<BlockChoice::Part> AgeChoice::choose(uint64_t records, uint64_t per_block) {
  const uint64_t blocks = (records + per_block - 1) / per_block;
  full_ = until_full_ == 0;
  until_full_ = full_ ? period_ : until_full_ - 1;
  if (!full_) choose_classes(blocks);
  std::vector<Part> parts;
  of_part_.clear();
  uint64_t end = blocks;
  for (uint64_t k = 0; end > 0; ++k) {
    if (k == classes_.size()) classes_.emplace_back();
    const uint64_t begin = end - std::min(end, uint64_t{1} << k);
    if (full_ || classes_[k].chosen) {
      parts.push_back({begin * per_block, std::min(records, end * per_block), 0});
      of_part_.push_back(k);
    }
    end = begin;
  }
  return parts;
}

// The classes with the most duplicates a block, until they cover most of all; the youngest one always.
void AgeChoice::choose_classes(uint64_t blocks) {
  std::vector<uint64_t> order(classes_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto density = [&](uint64_t k) {
    const uint64_t older = (uint64_t{1} << k) - 1;  // blocks younger than this class
    const uint64_t size = std::min(uint64_t{1} << k, blocks - std::min(blocks, older));
    return size == 0 ? 0.0 : classes_[k].duplicates / static_cast<double>(size);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](uint64_t a, uint64_t b) { return density(a) > density(b); });
  double all = 0, covered = 0;
  for (const Class& one : classes_) all += one.duplicates;
  for (const uint64_t k : order) {
    classes_[k].chosen = k == 0 || covered < kCovered * all;
    if (classes_[k].chosen) covered += classes_[k].duplicates;
  }
}

void AgeChoice::learn(const std::vector<Part>& parts) {
  if (!full_) return;
  double all = 0, missed = 0;
  for (uint64_t i = 0; i < parts.size(); ++i) {
    Class& own = classes_[of_part_[i]];
    const double found = static_cast<double>(parts[i].erased);
    all += found;
    if (!own.chosen) missed += found;
    own.duplicates = own.duplicates / 2 + found;
  }
  constexpr uint64_t kLongest = 16;
  if (missed <= 0.05 * all) period_ = std::min(2 * period_, kLongest);
  if (missed > 0.15 * all) period_ = std::max<uint64_t>(period_ / 2, 1);
  until_full_ = period_;
}

}  // namespace strata
