// The stacks of a nested depth-first search on disk (ioemc.cc): their entries, and the path that they hold when an
// error was found.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "liveness/lasso/lasso.h"
#include "liveness/lasso/path_search.h"
#include "store/queue/shared_stacks.h"

namespace strata {

constexpr unsigned kFirst = 0, kSecond = 1;  // the two searches

// An entry of a stack: a note, then the state. An open state is on the path, and was entered; the note has its slot
// among the recent states. A waiting state was new in the epoch of its note. A done state was seen since.
enum class Phase : uint32_t { open, open_accepting, waiting, done };

class Entry {
 public:
  static constexpr uint64_t kNoteBytes = sizeof(uint32_t);

  explicit Entry(uint8_t* data) : data_(data) {}
  uint8_t* state() const { return data_ + kNoteBytes; }
  Phase phase() const { return static_cast<Phase>(note() >> 30); }
  bool open() const { return phase() <= Phase::open_accepting; }
  uint32_t value() const { return note() & kMost; }
  void set(Phase phase, uint32_t value) const {
    const uint32_t note = static_cast<uint32_t>(phase) << 30 | (value & kMost);
    std::memcpy(data_, &note, sizeof note);
  }

 private:
  static constexpr uint32_t kMost = (uint32_t{1} << 30) - 1;
  uint32_t note() const {
    uint32_t note;
    std::memcpy(&note, data_, sizeof note);
    return note;
  }
  uint8_t* data_;
};

// The open states of both stacks are a path; the second begins where the first ends. `closing` is the state
// on the first one at which the loop begins; empty: the path leads to a rule that fails.
class StackPath {
 public:
  StackPath(SharedStacks& stacks, uint64_t state_bytes, const std::vector<uint8_t>& closing)
      : stacks_(stacks), bytes_(state_bytes), closing_(closing) {}

  // The memory to gather and explain a path of this many states.
  uint64_t memory(uint64_t states) const { return path_bytes(states, bytes_) + states * sizeof(Place); }
  // The states and the loop of the path, which refers to this object.
  Status gather(Path& path);
  // The error without its path.
  Result<FarError> far_error(const Model& model) const;

 private:
  struct Place {
    uint64_t hash, place;
    auto operator<=>(const Place&) const = default;
  };

  const uint8_t* state(uint64_t i) const { return states_.data() + i * bytes_; }
  Status close_loop(uint64_t first, Path& path) const;

  SharedStacks& stacks_;
  const uint64_t bytes_;
  const std::vector<uint8_t>& closing_;
  std::vector<uint8_t> states_;
};

}  // namespace strata
