#include "engine/plan/memory_plan.h"

#include <algorithm>

namespace strata {

void MemoryPlan::give(const char* name, uint64_t bytes) {
  if (!fits()) return;
  if (bytes > left_) return refuse(name);
  if (bytes == 0) return;
  left_ -= bytes;
  const auto share =
      std::find_if(shares_.begin(), shares_.end(), [&](const auto& own) { return own.first == name; });
  if (share != shares_.end()) {
    share->second += bytes;
  } else {
    shares_.emplace_back(name, bytes);
  }
}

void MemoryPlan::refuse(const char* name) {
  if (!fits()) return;
  tight_ = name;
  left_ = 0;
}

uint64_t MemoryPlan::give_rest(const char* name, uint64_t least) {
  const uint64_t bytes = std::max(left_, least);
  give(name, bytes);
  return fits() ? bytes : 0;
}

uint64_t MemoryPlan::total() const {
  uint64_t sum = 0;
  for (const auto& share : shares_) sum += share.second;
  return sum;
}

}  // namespace strata
