// Two stacks that share one section of memory, and go to disk when it is full: dynamic path management (DPM)
// of IOEMC (Wu et al. 2015, algorithms 2 and 3).
//
//   section:  | stack 0, bottom to top ->        free        <- stack 1, top to bottom |
//
// When the section is full, the lowest rho2 of what each stack has in it goes to the end of the stack's file
// (Dmem-DB). When a stack has nothing in the section, and something in its file, the last of that comes back,
// as much as rho2 of what is free (DDB-mem). Both in whole blocks.
//
// Invariants
//  1. The top of a stack that is not empty is in the section.
//  2. The file of a stack has its bottom, in full blocks, in order.
//  3. Both stacks fit into the section.
//
// rho2 = automatic. A stack that goes up and down by less than half a section never touches the disk if rho2 is 0.5. A
// stack that keeps going in one direction moves each entry once, whatever rho2 is, and the larger rho2 is, the fewer
// and larger the moves. So rho2 begins at 0.5, goes half the way to 0.95 when a move has the direction of the move
// before, and back to 0.5 when it has the other direction.
//
// Thread safety: one thread at a time.
//
// Slips of algorithm 3: it brings back M2 - #stack * rho2 states, more than there is room for; lemma 2 has
// (M2 - #stack) * rho2, as here. Algorithm 2 sets the bottom of stack 2 to a state of stack 1.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/checks.h"
#include "base/image/image.h"
#include "store/key/table_memory.h"
#include "store/queue/buffer_ring.h"

namespace strata {

class SharedStacks {
 public:
  static constexpr double kAutomatic = 0;

  // Draws section_bytes() from the budget; open() fails if the budget refused them.
  SharedStacks(Storage& storage, std::string name, uint64_t entry_bytes, uint64_t section_bytes, double rho2,
               BufferRing& shelf, MemoryBudget& budget);
  ~SharedStacks();
  SharedStacks(const SharedStacks&) = delete;
  SharedStacks& operator=(const SharedStacks&) = delete;

  Status open();
  // What a section of about this many bytes takes, with blocks of this size.
  static uint64_t section_bytes(uint64_t entry_bytes, uint64_t bytes, uint64_t block_bytes);

  // Adds an entry to a stack, for the caller to fill in.
  Result<uint8_t*> push(unsigned stack);
  // Entry i from the top. REQUIRES: i < in_section(stack).
  uint8_t* from_top(unsigned stack, uint64_t i) {
    STRATA_CHECK(i < in_section(stack));
    return at(stack, stacks_[stack].here - 1 - i);
  }
  uint8_t* top(unsigned stack) { return from_top(stack, 0); }
  // REQUIRES: the stack is not empty.
  Status pop(unsigned stack);
  uint64_t size(unsigned stack) const { return stacks_[stack].here + on_disk(stack); }
  uint64_t in_section(unsigned stack) const { return stacks_[stack].here; }

  // Calls visit(entry) from the bottom to the top.
  Status for_each(unsigned stack, const std::function<void(const uint8_t*)>& visit);

  std::string check_invariants() const;

  // For a checkpoint: all entries. When they are restored, adapt(stack, entry) is called for each and may change it.
  void serialize(Image& image, const std::function<void(unsigned, uint8_t*)>& adapt);

  struct Figures {
    uint64_t out = 0, in = 0;              // times that entries were moved
    uint64_t moved_out = 0, moved_in = 0;  // entries
  };
  const Figures& figures() const { return figures_; }
  double rho2() const { return rho2_; }

 private:
  template <class>
  friend struct InvariantPeer;
  struct Stack {
    uint64_t here = 0;    // entries in the section
    uint64_t blocks = 0;  // on disk
    std::unique_ptr<File> file;
  };
  enum class Direction { none, out, in };

  uint64_t on_disk(unsigned stack) const { return stacks_[stack].blocks * per_block_; }
  uint8_t* at(unsigned stack, uint64_t i) {
    return section_->data() + (stack == 0 ? i : capacity_ - 1 - i) * entry_bytes_;
  }
  std::string file_name(unsigned stack) const { return name_ + (stack == 0 ? ".1" : ".2"); }
  uint64_t stamp(unsigned stack) const { return 0x5350 + stack; }
  Status move_all_out();
  Status move_out(unsigned stack, uint64_t blocks);
  Status move_in(unsigned stack);
  Status read_blocks(unsigned stack, uint64_t first, uint64_t count,
                     const std::function<void(uint64_t block, const uint8_t*)>& take);
  void note(Direction direction);

  Storage& storage_;
  const std::string name_;
  const uint64_t entry_bytes_, per_block_, capacity_;
  const bool automatic_;
  double rho2_;
  BufferRing& shelf_;
  Result<TableMemory> made_;
  TableMemory* section_ = nullptr;
  std::array<Stack, 2> stacks_;
  Direction last_ = Direction::none;
  Figures figures_;
};

}  // namespace strata
