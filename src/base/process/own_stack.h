// Stacks of our own size. The system's may be as small as `ulimit -s` says, and the front ends are recursive:
// they allow a nesting that a stack of 64 KiB has no room for. The stacks of threads follow the same limit.
#pragma once

#include <cstdint>
#include <functional>

namespace strata {

// Calls the function on a thread with a large stack, and waits for it; threads that are started from now on
// have stacks of kThreadStack bytes at least. Where the system has no room for such a stack, the function
// runs on ours.
int run_on_own_stack(const std::function<int()>& function);

constexpr uint64_t kThreadStack = uint64_t{8} << 20;

// Calls the function with this much stack, and so for all threads that it starts. False: the system has no
// room for that, and nothing was called. An exception of the function is thrown.
bool run_with_stack(uint64_t bytes, const std::function<void()>& function);

}  // namespace strata
