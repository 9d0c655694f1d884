// A Folder for trees of many parts: only the paths from chunks that differ up to the root are gone through, of several states in
// turns, so that none waits for memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "view/fold/folder.h"

namespace strata {

class PathFolder final : public Folder {
 public:
  PathFolder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes);

  // What one takes that unfolds so many states at a time.
  static uint64_t bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states);

  const uint8_t* unfold(const uint8_t* keys, uint64_t n) override;
  void unfold_zeros() override;
  void fold(const uint8_t* states, const uint32_t* parents, uint64_t n) override;

 private:
  static constexpr uint64_t kLanes = 16;

  // A chunk that waits for what it needs of its table.
  struct WaitingChunk {
    uint64_t hash = 0;
    uint32_t part = 0;
  };
  // A state that is being folded: first its chunks, then the nodes above them, which are marked, in the order of their numbers.
  struct Lane {
    uint32_t state = 0;  // its number in the call
    const uint8_t* bytes = nullptr;
    uint32_t* parts = nullptr;
    uint64_t* marks = nullptr;
    uint64_t word = 0;  // of the marks; those before it are done
    WaitingChunk* chunks = nullptr;
    uint64_t waiting = 0;  // chunks; if there are none, a node waits:
    uint32_t node = 0;
    uint64_t pair = 0, hash = 0;
  };
  uint64_t key_of(const uint32_t* own) const { return key(own[tree_.root().left], own[tree_.root().right]); }
  uint32_t* parts(uint64_t state) { return parts_.data() + state * tree_.parts(); }

  void fetch(uint32_t part, uint32_t number) const;
  void unfold_from_last(uint64_t key, uint32_t* own, uint8_t* state);
  void begin(Lane& lane, uint32_t state, const uint8_t* bytes, uint32_t parent);
  void add_chunks(Lane& lane, uint64_t leaves, uint64_t block);
  void add_chunk(Lane& lane, uint32_t part, const FoldTree::Chunk& chunk);
  bool look_up_chunks(Lane& lane);
  bool look_up_node(Lane& lane);
  bool go_on(Lane& lane);
  bool find_numbers(Lane& lane);

  const uint64_t mark_words_;
  std::vector<uint32_t> parts_;  // of all states that were unfolded
  std::vector<uint8_t> states_;
  uint64_t unfolded_ = 0;
  std::vector<uint64_t> marks_;  // parts to be unfolded
  std::vector<Lane> lanes_;
  std::vector<uint32_t> lane_parts_;
  std::vector<uint64_t> lane_marks_;
  std::vector<WaitingChunk> lane_chunks_;
};

}  // namespace strata
