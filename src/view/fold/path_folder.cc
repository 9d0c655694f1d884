#include "view/fold/path_folder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace strata {

namespace {

constexpr uint64_t kBlockBytes = FoldTree::kMostChunk;

// Bit i: whether the four bytes from 4 * i on differ, of 64.
#ifdef __SSE2__
uint64_t differing_leaves(const uint8_t* a, const uint8_t* b) {
  const auto equal = [&](int at) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a + at)),
                           _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + at)));
  };
  const __m128i low = _mm_packs_epi32(equal(0), equal(16)), high = _mm_packs_epi32(equal(32), equal(48));
  return static_cast<uint64_t>(~_mm_movemask_epi8(_mm_packs_epi16(low, high)) & 0xffff);
}
#else
uint64_t differing_leaves(const uint8_t* a, const uint8_t* b) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 16; i += 2) {
    uint64_t x, y;
    std::memcpy(&x, a + i * 4, 8);
    std::memcpy(&y, b + i * 4, 8);
    const uint64_t difference = x ^ y;
    result |= static_cast<uint64_t>(static_cast<uint32_t>(difference) != 0) << i |
              static_cast<uint64_t>(difference >> 32 != 0) << (i + 1);
  }
  return result;
}
#endif

// The same, of fewer bytes.
uint64_t differing_leaves(const uint8_t* a, const uint8_t* b, uint64_t size) {
  uint64_t result = 0, at = 0;
  for (; at + 4 <= size; at += 4) {
    uint32_t x, y;
    std::memcpy(&x, a + at, 4);
    std::memcpy(&y, b + at, 4);
    result |= static_cast<uint64_t>(x != y) << at / 4;
  }
  uint64_t difference = 0;
  for (uint64_t i = at; i < size; ++i) difference |= a[i] ^ b[i];
  return result | static_cast<uint64_t>(difference != 0) << at / 4;
}

void mark(uint64_t* marks, uint32_t part) { marks[part / 64] |= uint64_t{1} << part % 64; }

}  // namespace

PathFolder::PathFolder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes)
    : Folder(tree, tables, state_bytes), mark_words_((tree.parts() + 63) / 64), marks_(mark_words_, 0) {
  PathFolder::unfold_zeros();
}

uint64_t PathFolder::bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states) {
  return states * (state_bytes + tree.parts() * sizeof(uint32_t)) +
         kLanes * (sizeof(Lane) + tree.parts() * sizeof(uint32_t) + tree.chunks() * sizeof(WaitingChunk)) +
         kCacheBytes;
}

void PathFolder::unfold_zeros() {
  parts_.assign(tree_.parts(), 0);
  states_.assign(state_bytes_ + kSlackBytes, 0);
  unfolded_ = 1;
  given_.assign(1, 0);
}

// Each state is unfolded from the one before it; the first one from the last of the call before.
const uint8_t* PathFolder::unfold(const uint8_t* keys, uint64_t n) {
  if (n == 0) return states_.data();
  take_keys(keys, n);
  const uint64_t mask = (uint64_t{1} << left_bits_) - 1;
  const FoldTree::Node& root = tree_.root();
  for (uint64_t i = 0; i < n; ++i) {
    fetch(root.left, static_cast<uint32_t>(given_[i] & mask));
    fetch(root.right, static_cast<uint32_t>(given_[i] >> left_bits_));
  }
  // What is two levels below the root is often not in the cache either.
  for (uint64_t i = 0; i < n; ++i)
    for (const auto& [part, number] :
         {std::pair(root.left, given_[i] & mask), std::pair(root.right, given_[i] >> left_bits_)}) {
      if (part < tree_.chunks()) continue;
      const uint64_t pair = pairs_.node(static_cast<uint32_t>(number))[0];
      fetch(tree_.node(part).left, static_cast<uint32_t>(pair));
      fetch(tree_.node(part).right, static_cast<uint32_t>(pair >> 32));
    }
  parts_.resize(std::max(unfolded_, n) * tree_.parts());
  states_.resize(std::max(unfolded_, n) * state_bytes_ + kSlackBytes);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t last = i == 0 ? unfolded_ - 1 : i - 1;
    if (last != i) {
      std::memcpy(parts(i), parts(last), tree_.parts() * sizeof(uint32_t));
      std::memcpy(states_.data() + i * state_bytes_, states_.data() + last * state_bytes_, state_bytes_);
    }
    unfold_from_last(given_[i], parts(i), states_.data() + i * state_bytes_);
  }
  unfolded_ = n;
  return states_.data();
}

// Asks for what belongs to the number of a part.
void PathFolder::fetch(uint32_t part, uint32_t number) const {
  if (part >= tree_.chunks()) return pairs_.fetch_number(number);
  const uint32_t bytes = tree_.chunk(part).bytes;
  if (bytes > FoldTree::kLeastChunk)
    tables_.with_table(bytes, [&](const auto& table) { table.fetch_number(number); });
}

void PathFolder::unfold_from_last(uint64_t key, uint32_t* own, uint8_t* state) {
  uint64_t word = 0;
  const auto put = [&](uint32_t part, uint32_t number) {
    if (own[part] == number) return;
    own[part] = number;
    mark(marks_.data(), part);
    word = std::max<uint64_t>(word, part / 64);
  };
  put(tree_.root().left, static_cast<uint32_t>(key & ((uint64_t{1} << left_bits_) - 1)));
  put(tree_.root().right, static_cast<uint32_t>(key >> left_bits_));
  // A part is behind those that it consists of.
  for (uint64_t at = word + 1; at-- > 0;)
    while (marks_[at] != 0) {
      const auto bit = static_cast<uint32_t>(63 - std::countl_zero(marks_[at]));
      marks_[at] ^= uint64_t{1} << bit;
      const uint32_t part = static_cast<uint32_t>(at) * 64 + bit;
      if (part < tree_.chunks()) {
        put_chunk(tree_.chunk(part), own[part], state);
        continue;
      }
      const uint64_t pair = pairs_.node(own[part])[0];
      put(tree_.node(part).left, static_cast<uint32_t>(pair));
      put(tree_.node(part).right, static_cast<uint32_t>(pair >> 32));
    }
}

void PathFolder::fold(const uint8_t* states, const uint32_t* parents, uint64_t n) {
  begin_folding(n);
  if (lanes_.empty()) {
    lanes_.resize(kLanes);
    lane_parts_.resize(kLanes * tree_.parts());
    lane_marks_.resize(kLanes * mark_words_);
    lane_chunks_.resize(kLanes * tree_.chunks());
    for (uint64_t i = 0; i < kLanes; ++i) {
      lanes_[i].parts = lane_parts_.data() + i * tree_.parts();
      lanes_[i].marks = lane_marks_.data() + i * mark_words_;
      lanes_[i].chunks = lane_chunks_.data() + i * tree_.chunks();
    }
  }
  uint64_t next = 0;
  // Gives a lane the next state that needs to wait.
  const auto fill = [&](Lane& lane) {
    while (next < n) {
      const auto i = static_cast<uint32_t>(next++);
      begin(lane, i, states + i * state_bytes_, parents[i]);
      if (lane.waiting != 0 || find_numbers(lane)) return true;
    }
    return false;
  };
  uint64_t active = 0;
  while (active < kLanes && fill(lanes_[active])) ++active;
  while (active > 0)
    for (uint64_t i = 0; i < active;) {
      Lane& lane = lanes_[i];
      if (go_on(lane) || fill(lane))
        ++i;
      else
        std::swap(lane, lanes_[--active]);  // there is no other state for it
    }
}

// Finds the chunks in which a state differs from its parent, and asks for what look_up_chunks will read of their tables.
void PathFolder::begin(Lane& lane, uint32_t state, const uint8_t* bytes, uint32_t parent) {
  lane.state = state;
  lane.bytes = bytes;
  lane.word = tree_.chunks() / 64;
  lane.waiting = 0;
  std::memcpy(lane.parts, parts(parent), tree_.parts() * sizeof(uint32_t));
  std::fill_n(lane.marks, mark_words_, 0);
  mark(lane.marks, tree_.parts() - 1);
  const uint8_t* before = states_.data() + parent * state_bytes_;
  const uint64_t whole = state_bytes_ / kBlockBytes;
  constexpr uint64_t kBlocksOfAWord = 4;
  for (uint64_t block = 0; block < whole; block += kBlocksOfAWord) {
    uint64_t leaves = 0;
    for (uint64_t i = 0; i < std::min(kBlocksOfAWord, whole - block); ++i)
      leaves |= differing_leaves(bytes + (block + i) * kBlockBytes, before + (block + i) * kBlockBytes)
                << i * 16;
    add_chunks(lane, leaves, block);
  }
  const uint64_t rest = state_bytes_ % kBlockBytes;
  if (rest == 0) return;
  const uint64_t at = whole * kBlockBytes;
  add_chunks(lane, differing_leaves(bytes + at, before + at, rest), whole);
}

// Leaves are bits, from those of the block on.
void PathFolder::add_chunks(Lane& lane, uint64_t leaves, uint64_t block) {
  constexpr uint64_t kLeavesOfABlock = kBlockBytes / FoldTree::kLeastChunk;
  while (leaves != 0) {
    const auto leaf = static_cast<uint64_t>(std::countr_zero(leaves));
    const uint32_t part = tree_.chunk_of_leaf(block * kLeavesOfABlock + leaf);
    const FoldTree::Chunk& chunk = tree_.chunk(part);
    const uint64_t first = chunk.first / FoldTree::kLeastChunk - block * kLeavesOfABlock;
    leaves &= ~(((uint64_t{1} << chunk.bytes / FoldTree::kLeastChunk) - 1) << first);
    add_chunk(lane, part, chunk);
  }
}

void PathFolder::add_chunk(Lane& lane, uint32_t part, const FoldTree::Chunk& chunk) {
  mark(lane.marks, tree_.above(part));
  if (chunk.bytes == FoldTree::kLeastChunk) {
    lane.parts[part] = chunk_of<std::array<uint32_t, 1>>(chunk, lane.bytes)[0];
    return;
  }
  const uint64_t hash = tables_.with_table(chunk.bytes, [&](const auto& table) {
    using Table = std::decay_t<decltype(table)>;
    const uint64_t own = Table::hash(chunk_of<typename Table::Node>(chunk, lane.bytes));
    table.fetch(own);
    return own;
  });
  lane.chunks[lane.waiting++] = {hash, part};
}

// Changed chunks get their numbers. False: there is no room for one.
bool PathFolder::look_up_chunks(Lane& lane) {
  for (uint64_t i = 0; i < lane.waiting; ++i) {
    const auto [hash, part] = lane.chunks[i];
    bool is_zero = false;
    const uint32_t number =
        tables_.with_table(tree_.chunk(part).bytes, [&, hash = hash, part = part](auto& table) {
          using Node = typename std::decay_t<decltype(table)>::Node;
          const Node words = chunk_of<Node>(tree_.chunk(part), lane.bytes);
          const uint32_t result = table.number(words, hash);
          is_zero = result == 0 && words == Node{};
          return result;
        });
    if (number == 0 && !is_zero) return false;
    lane.parts[part] = number;
  }
  lane.waiting = 0;
  return true;
}

// The node that waits gets its number. False: there is no room for it.
bool PathFolder::look_up_node(Lane& lane) {
  const uint32_t number = pairs_.number({lane.pair}, lane.hash);
  if (number == 0 && lane.pair != 0) return false;
  cached(lane.pair) = {lane.pair, number};
  lane.parts[lane.node] = number;
  mark(lane.marks, tree_.above(lane.node));
  return true;
}

// Goes on with a state that waited. False: it has its key, or there is no room for it.
bool PathFolder::go_on(Lane& lane) {
  if (lane.waiting != 0 ? look_up_chunks(lane) : look_up_node(lane)) return find_numbers(lane);
  has_room_[lane.state] = 0;
  return false;
}

// Gives numbers to nodes above what has changed, up to one for which the table is needed: asks for what look_up_node will read there,
// and is true. False: the state has its key.
bool PathFolder::find_numbers(Lane& lane) {
  uint64_t* marks = lane.marks;
  uint32_t* own = lane.parts;
  const uint32_t root = tree_.parts() - 1;
  uint64_t at = lane.word, marked = marks[at];
  for (;;) {
    while (marked == 0) marked = marks[++at];
    const uint32_t part = static_cast<uint32_t>(at) * 64 + static_cast<uint32_t>(std::countr_zero(marked));
    marked &= marked - 1;
    if (part == root) {
      keys_[lane.state] = key_of(own);
      return false;
    }
    const FoldTree::Node& node = tree_.node(part);
    const uint64_t pair = own[node.left] | static_cast<uint64_t>(own[node.right]) << 32;
    if (const Cached& there = cached(pair); there.pair == pair) {
      own[part] = there.number;
      const uint32_t above = tree_.above(part);
      if (above / 64 == at)
        marked |= uint64_t{1} << above % 64;
      else
        mark(marks, above);
      continue;
    }
    lane.node = part;
    lane.pair = pair;
    lane.hash = NodeTable<1>::hash({pair});
    pairs_.fetch(lane.hash);
    lane.word = at;
    marks[at] = marked;
    return true;
  }
}

}  // namespace strata
