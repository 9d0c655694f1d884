// Work in a copy of this process. What cannot be stopped in a thread, because it is a library that does not listen, is
// ended at once when its process is killed; and its memory and its crashes are not ours.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "base/status.h"

namespace strata {

// What `work` returns in the copy, or StatusCode::interrupted soon after `cancel`, which may be null, has become true.
// Other threads may run: the copy has none of them, so the work must take no lock that they may hold. All files but the
// standard ones are closed in the copy. `name` is for messages: "NVRTC". Where the system gives no process, this one
// does the work, to its end.
Result<std::string> in_copy_of_process(const std::string& name,
                                       const std::function<Result<std::string>()>& work,
                                       const std::atomic<bool>* cancel);

}  // namespace strata
