// Runs of this program as processes of their own, one after another: each has its memory for itself, and one
// that fails does not take the others with it.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

// As long as it lives, SIGINT, SIGTERM and SIGHUP are handed on to the run that is under way, and no other begins.
class ChildSignals {
 public:
  ChildSignals();
  ~ChildSignals();
  ChildSignals(const ChildSignals&) = delete;
  ChildSignals& operator=(const ChildSignals&) = delete;

  bool stopped() const;

 private:
  struct sigaction old_[3];
};

struct ChildEnd {
  int exit_code = 0;   // 128 and the signal where one ended it
  std::string errors;  // the end of what it said on standard error
};

// How much of a run is shown: all, or nothing.
enum class ChildOutput { shown, hidden };

// Runs this program with these arguments and waits for it.
Result<ChildEnd> run_child(const std::vector<std::string>& arguments, ChildOutput output);

}  // namespace strata
