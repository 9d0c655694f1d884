// Other programs: a compiler, a macro processor. Each runs in a process group of its own, behind a process
// that watches it (the watcher): the group ends when its time is over, when we ask for it, and when we die,
// even by SIGKILL.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strata {

// The files of a program. Where a number is negative it reads nothing, and writes where we do.
struct StandardFiles {
  int in = -1, out = -1, errors = -1;
};

struct Program {
  std::vector<std::string> command;  // found as a shell finds it
  StandardFiles files;
  std::vector<std::pair<std::string, std::string>> variables;  // of its environment, beside ours
  std::vector<std::string> without;                            // variables that it is not to have
  // Limits; 0: none.
  unsigned seconds = 0;
  uint64_t memory = 0;      // bytes
  uint64_t file_bytes = 0;  // that any one file may have
};

struct ProgramEnd {
  enum class Kind {
    exited,       // with this code
    signalled,    // by this signal
    timed_out,    // its seconds were over
    stopped,      // by stop_programs_in_signal
    not_started,  // for this reason (errno)
  };
  Kind kind = Kind::exited;
  int number = 0;

  bool ok() const { return kind == Kind::exited && number == 0; }
};

// Runs a program and waits for it.
ProgramEnd run_program(const Program& program);

// For a signal handler: kills all programs that run, and none starts before allow_programs().
void stop_programs_in_signal();
void allow_programs();
bool programs_stopped();

}  // namespace strata
