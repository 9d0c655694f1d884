// Counts of rules that nobody asked for.
#pragma once

#include <pthread.h>

#include <memory>
#include <new>

#include "model/model.h"
#include "model/rule_counts.h"

namespace strata::native {

// What each thread has for itself. A thread_local with a destructor would end the process where there is no
// memory to note the destructor.
class OfThread {
 public:
  OfThread() {
    known_ = ::pthread_key_create(&key_, [](void* own) { delete static_cast<RuleCounts*>(own); }) == 0;
  }
  RuleCounts& get() const {
    if (void* const own = known_ ? ::pthread_getspecific(key_) : nullptr)
      return *static_cast<RuleCounts*>(own);
    auto fresh = std::make_unique<RuleCounts>(ModelInfo());
    if (!known_ || ::pthread_setspecific(key_, fresh.get()) != 0) throw std::bad_alloc();
    return *fresh.release();
  }

 private:
  pthread_key_t key_{};
  bool known_ = false;
};

// Generated code always counts firings. This is for callers that ignore the counts.
inline RuleCounts& uncounted(const ModelInfo& info) {
  static const OfThread own;
  RuleCounts& counts = own.get();
  if (counts.rules.size() <= info.rules.size()) counts = RuleCounts(info);
  return counts;
}

}  // namespace strata::native
