// A run of this program beside the present process: its input is given at once, its output is read as it comes, in
// bounded memory. It ends with this object.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

class ChildProcess {
 public:
  // Of each stream that is kept; what comes beyond it is dropped, and output_was_cut() or
  // errors_were_cut() says so.
  static constexpr size_t kMostOutput = size_t{16} << 20;

  ChildProcess() = default;
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // `input` must be short: it is written into a pipe before anything is read.
  Status start(const std::vector<std::string>& arguments, const std::string& input);
  // Takes what the streams have. True: the process has ended, and its exit code is known.
  bool advance();
  // Asks the process to end in order, as ^C does; a second time, to end at once.
  void interrupt();

  // Can be read when there is something to take.
  int descriptor() const {
    return streams_[0].descriptor >= 0 ? streams_[0].descriptor : streams_[1].descriptor;
  }
  const std::string& output() const { return streams_[0].text; }
  const std::string& errors() const { return streams_[1].text; }
  bool output_was_cut() const { return streams_[0].cut; }
  bool errors_were_cut() const { return streams_[1].cut; }
  // Drops the beginning of the errors, which makes room for more.
  void forget_errors(size_t bytes) { streams_[1].text.erase(0, bytes); }
  int exit_code() const { return exit_code_; }

 private:
  struct Stream {
    int descriptor = -1;
    std::string text{};
    bool cut = false;
  };
  static void take(Stream& stream);

  Stream streams_[2];
  pid_t process_ = -1;
  int exit_code_ = 0;
  bool interrupted_ = false;
};

}  // namespace strata
