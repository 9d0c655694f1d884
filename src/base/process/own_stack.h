// Stacks of our own size. The system's may be as small as `ulimit -s` says, and the front ends are recursive: they allow a
// nesting that a stack of 64 KiB has no room for. The stacks of threads follow the same limit.
#pragma once

#include <functional>

namespace strata {

// Calls the function on a thread with a large stack, and waits for it; threads that are started from now on have stacks that
// are large enough for any model. Where the system has no room for such a stack, the function runs on ours.
int run_on_own_stack(const std::function<int()>& function);

}  // namespace strata
