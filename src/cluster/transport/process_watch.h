// Watches the processes of other ranks on this host: the kernel says at once when one has ended, however it
// did. Where it cannot (an old kernel, ranks in containers of their own) nothing is watched, and signs of
// life must do.
#pragma once

#include <poll.h>

#include <optional>
#include <string>
#include <vector>

namespace strata::cluster {

// This process, as processes of the same host can find it.
std::string process_address();

class ProcessWatch {
 public:
  ProcessWatch() = default;
  ~ProcessWatch();
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;

  // Watches a rank, if this process can. Not itself.
  void watch(int rank, const std::string& address);
  // A rank whose process has ended.
  std::optional<int> ended();

 private:
  std::vector<pollfd> watched_;
  std::vector<int> ranks_;   // of the watched
  std::optional<int> gone_;  // before it could be watched
};

}  // namespace strata::cluster
