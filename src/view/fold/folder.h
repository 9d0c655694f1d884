// One thread's folding and unfolding of states, some at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "view/fold/fold_tables.h"
#include "view/fold/fold_tree.h"

namespace strata {

class Folder {
 public:
  static constexpr uint64_t kSlackBytes = 16;  // behind a state: models may read whole words

  Folder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes);

  uint64_t key_bytes() const { return key_bytes_; }
  static uint64_t key_bits(const FoldTree& tree, FoldTables& tables);
  // What one takes that unfolds so many states at a time.
  static uint64_t bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states);

  // Unfolds keys: the states, one after another, with a few bytes behind them that may be read. They stay until the next call.
  const uint8_t* unfold(const uint8_t* keys, uint64_t n);
  // As if a state of zeros had been unfolded.
  void unfold_zeros();
  // Folds states, each of which differs in little from the one of number parents[i] that was unfolded. ok(i): there was room for
  // its nodes, and write_key(i) writes its key, with zeros behind it up to eight bytes.
  void fold(const uint8_t* states, const uint32_t* parents, uint64_t n);
  bool ok(uint64_t i) const { return has_room_[i] != 0; }
  void write_key(uint64_t i, uint8_t* key) const { __builtin_memcpy(key, &keys_[i], sizeof(uint64_t)); }
  // Whether the state is the one of that number that was unfolded.
  bool is_parent(uint64_t i, uint32_t parent) { return keys_[i] == key_of(parts(parent)); }

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
  struct Cached {
    uint64_t pair = 0;
    uint32_t number = 0;
  };

  uint64_t key_of(const uint32_t* own) const {
    return own[tree_.root().left] | static_cast<uint64_t>(own[tree_.root().right]) << left_bits_;
  }
  uint32_t* parts(uint64_t state) { return parts_.data() + state * tree_.parts(); }

  void fetch(uint32_t part, uint32_t number) const;
  void unfold_from_last(uint64_t key, uint32_t* own, uint8_t* state);
  void put_chunk(uint32_t part, uint32_t number, uint8_t* state) const;
  void begin(Lane& lane, uint32_t state, const uint8_t* bytes, uint32_t parent);
  void add_chunks(Lane& lane, uint64_t leaves, uint64_t block);
  void add_chunk(Lane& lane, uint32_t part, const FoldTree::Chunk& chunk);
  bool look_up_chunks(Lane& lane);
  bool look_up_node(Lane& lane);
  bool go_on(Lane& lane);
  bool find_numbers(Lane& lane);
  template <class Node>
  Node chunk_of(uint32_t part, const uint8_t* state) const;
  Cached& cached(uint64_t pair) { return cache_[(pair * 0x9e3779b97f4a7c15ull) >> (64 - kCacheBits)]; }

  static constexpr unsigned kCacheBits = 13;

  const FoldTree& tree_;
  FoldTables& tables_;
  NodeTable<1>& pairs_;
  const uint64_t state_bytes_;
  const unsigned left_bits_;
  const uint64_t key_bytes_;
  const uint64_t mark_words_;
  std::vector<uint32_t> parts_;  // of all states that were unfolded
  std::vector<uint8_t> states_;
  uint64_t unfolded_ = 0;
  std::vector<uint64_t> marks_;  // parts to be unfolded
  std::vector<uint64_t> keys_;   // of all states that were folded
  std::vector<uint8_t> has_room_;
  std::vector<Lane> lanes_;
  std::vector<uint32_t> lane_parts_;
  std::vector<uint64_t> lane_marks_;
  std::vector<WaitingChunk> lane_chunks_;
  std::vector<Cached> cache_;
};

}  // namespace strata
