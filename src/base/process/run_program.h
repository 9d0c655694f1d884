// Other programs: a compiler, a macro processor. Each runs in its own process group, together with a watcher process
// that ends the group when its time is over, when this process asks, and when this process dies, even by SIGKILL.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strata {

// The descriptors of a program. Negative: it reads nothing, or writes where this process writes.
struct StandardFiles {
  int in = -1, out = -1, errors = -1;
};

struct Program {
  std::vector<std::string> command;  // found as a shell finds it
  StandardFiles files;
  std::vector<std::pair<std::string, std::string>> variables;  // added to the environment of this process
  std::vector<std::string> without;                            // variables that are removed
  // Limits; 0: none.
  unsigned seconds = 0;
  uint64_t memory = 0;      // bytes
  uint64_t file_bytes = 0;  // of each file that it writes
};

struct ProgramEnd {
  enum class Kind {
    exited,       // with this code
    signalled,    // by this signal
    timed_out,    // after its seconds
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
