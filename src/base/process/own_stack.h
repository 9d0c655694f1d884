// Stacks of a chosen size. The stack that the system gives may be as small as `ulimit -s` says, also for threads, but
// the front ends are recursive and allow a nesting that does not fit into 64 KiB.
#pragma once

#include <cstdint>
#include <functional>

namespace strata {

// Calls the function on a thread with a large stack, and waits for it; threads that are started from now on have stacks
// of at least kThreadStack bytes. If the system has no room for such a stack, the function runs on the present one.
int run_on_own_stack(const std::function<int()>& function);

constexpr uint64_t kThreadStack = uint64_t{8} << 20;

// Calls the function with this much stack, for itself and for the threads that it starts. False: the system has no room
// for the stack, and the function was not called. Exceptions of the function are passed on.
bool run_with_stack(uint64_t bytes, const std::function<void()>& function);

}  // namespace strata
