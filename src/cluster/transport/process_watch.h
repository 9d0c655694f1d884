// Watches the processes of other ranks on this host: the kernel says at once when one has ended, for whatever reason.
// Where that is impossible (an old kernel, ranks in containers of their own), only signs of life tell.
#pragma once

#include <poll.h>

#include <optional>
#include <string>
#include <vector>

namespace strata::cluster {

// The address of this process, by which processes of the same host can find it.
std::string process_address();

class ProcessWatch {
 public:
  ProcessWatch() = default;
  ~ProcessWatch();
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;

  // Watches a rank if its process can be found; does nothing for this process.
  void watch(int rank, const std::string& address);
  // A rank whose process has ended.
  std::optional<int> ended();

 private:
  std::vector<pollfd> watched_;
  std::vector<int> ranks_;   // of the watched
  std::optional<int> gone_;  // before it could be watched
};

}  // namespace strata::cluster
