// Runs of this program as separate processes, one after another: each has memory of its own, and a run that fails does
// not end the others.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

// While this object exists, SIGINT, SIGTERM and SIGHUP are passed to the present run, and no other run begins after
// them.
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
  int exit_code = 0;   // 128 plus the signal, if a signal ended the run
  std::string errors;  // the last part of its standard error
};

// How much of a run is shown: all, or nothing.
enum class ChildOutput { shown, hidden };

// Runs this program with these arguments and waits for it.
Result<ChildEnd> run_child(const std::vector<std::string>& arguments, ChildOutput output);

}  // namespace strata
