#include "view/fold/folded_model.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {

// So many states are unfolded before their successors are made: few, so that all of it stays in the cache.
constexpr uint64_t kStatesAtATime = 16;
constexpr unsigned kCacheBits = 14;
// Models may read states in whole words.
constexpr uint64_t kSlackBytes = 16;

uint64_t joined(uint32_t left, uint32_t right) { return left | static_cast<uint64_t>(right) << 32; }

}  // namespace

// One thread's folding. All states of a call go down or up the tree together, level by level: what one step needs of the table of
// nodes is fetched for all of them before it is read.
class FoldedModel::Folder {
 public:
  explicit Folder(const FoldedModel& folded)
      : tree_(folded.tree_),
        nodes_(folded.nodes_),
        state_bytes_(folded.model_.info().state_bytes),
        key_bytes_(folded.info_.state_bytes),
        number_bits_(folded.number_bits_),
        parts_(tree_.parts(), 0) {}

  // Unfolds keys. Then parts(i) are those of state i, of which state(i) is the last part.
  void unfold(const uint8_t* keys, uint64_t n) {
    if (n == 0) return;
    // Those of the last state of the call before: the next ones mostly have much in common with it.
    const std::vector<uint32_t> before(parts_.end() - static_cast<std::ptrdiff_t>(tree_.parts()),
                                       parts_.end());
    parts_.resize(n * tree_.parts());
    values_.clear();
    for (uint64_t i = 0; i < n; ++i) {
      std::copy(before.begin(), before.end(), parts(i));
      uint64_t pair = 0;
      std::memcpy(&pair, keys + i * key_bytes_, key_bytes_);
      const uint64_t mask = (uint64_t{1} << number_bits_) - 1;
      put(i, tree_.left(0), static_cast<uint32_t>(pair & mask));
      put(i, tree_.right(0), static_cast<uint32_t>(pair >> number_bits_ & mask));
    }
    while (!values_.empty()) {
      values_.swap(above_values_);
      values_.clear();
      for (const Value& value : above_values_) put_below(value);
    }
  }
  uint32_t* parts(uint64_t i) { return parts_.data() + i * tree_.parts(); }
  const uint8_t* state(uint64_t i) const {
    return reinterpret_cast<const uint8_t*>(parts_.data() + i * tree_.parts() + tree_.nodes());
  }
  // Has parts(0) be those of a state of zeros.
  void unfold_zeros() { parts_.assign(tree_.parts(), 0); }

  // Folds states, each of which differs in little from the one of number parents[i] that was unfolded. ok(i): there was room for its nodes,
  // and its key is key(i).
  void fold(const uint8_t* states, const uint32_t* parents, uint64_t n) {
    if (cache_.empty()) cache_.resize(uint64_t{1} << kCacheBits);
    pairs_.clear();
    roots_.resize(n);
    for (uint64_t i = 0; i < n; ++i) {
      const uint32_t* own = parts(parents[i]);
      roots_[i] = joined(own[tree_.left(0)], own[tree_.right(0)]);
      add_leaves(states + i * state_bytes_, static_cast<uint32_t>(i), own);
    }
    for (unsigned d = tree_.depth(); d-- > 1 && !pairs_.empty();) {
      for (Pair& pair : pairs_) look_up(pair);
      pairs_.swap(below_pairs_);
      pairs_.clear();
      for (const Pair& pair : below_pairs_) add_above(pair, parts(parents[pair.state]));
    }
    for (const Pair& pair : pairs_)
      if (roots_[pair.state] != kNoRoom) roots_[pair.state] = pair.pair;
  }
  bool ok(uint64_t i) const { return roots_[i] != kNoRoom; }
  void write_key(uint64_t i, uint8_t* key) const {
    const uint64_t pair = (roots_[i] & 0xffffffffu) | roots_[i] >> 32 << number_bits_;
    std::memcpy(key, &pair, key_bytes_);
  }

 private:
  // A part of a state that is to be unfolded, and its number.
  struct Value {
    uint32_t state, part, number;
  };
  // A node of a state that is to be folded.
  struct Pair {
    uint32_t state, node;
    uint64_t pair;
    uint32_t number;  // where it was in the cache
    bool known;
  };
  struct Cached {
    uint64_t pair = 0;
    uint32_t number = 0;
  };
  static constexpr uint64_t kNoRoom = ~uint64_t{0};  // numbers are smaller

  void put(uint64_t state, uint32_t part, uint32_t number) {
    uint32_t& there = parts(state)[part];
    if (there == number) return;
    there = number;
    if (part >= tree_.nodes()) return;
    if (tree_.right(part) != FoldTree::kNone) nodes_.fetch_number(number);
    values_.push_back({static_cast<uint32_t>(state), part, number});
  }
  void put_below(const Value& value) {
    if (tree_.right(value.part) == FoldTree::kNone)
      return put(value.state, tree_.left(value.part), value.number);
    const uint64_t pair = nodes_.pair(value.number);
    put(value.state, tree_.left(value.part), static_cast<uint32_t>(pair));
    put(value.state, tree_.right(value.part), static_cast<uint32_t>(pair >> 32));
  }

  // A part of a state has a new value: the node above it is to be looked up. Those of one state come in the order of their bytes.
  void change(uint32_t state, uint32_t part, uint32_t value, const uint32_t* before) {
    const uint32_t node = tree_.above(part), left = tree_.left(node), right = tree_.right(node);
    if (pairs_.empty() || pairs_.back().node != node || pairs_.back().state != state)
      pairs_.push_back(
          {state, node, joined(before[left], right == FoldTree::kNone ? 0 : before[right]), 0, false});
    uint64_t& pair = pairs_.back().pair;
    pair =
        part == left ? (pair >> 32 << 32) | value : (pair & 0xffffffffu) | static_cast<uint64_t>(value) << 32;
  }
  void add_leaves(const uint8_t* bytes, uint32_t state, const uint32_t* before) {
    const uint32_t* leaves = before + tree_.nodes();
    const auto first = static_cast<uint32_t>(tree_.nodes());
    const uint64_t whole = state_bytes_ / 8 * 2;
    for (uint32_t i = 0; i < whole; i += 2) {
      uint64_t is, was;
      std::memcpy(&is, bytes + i * 4, 8);
      std::memcpy(&was, leaves + i, 8);
      if (is == was) continue;
      if (const auto low = static_cast<uint32_t>(is); low != leaves[i]) change(state, first + i, low, before);
      if (const auto high = static_cast<uint32_t>(is >> 32); high != leaves[i + 1])
        change(state, first + i + 1, high, before);
    }
    for (auto i = static_cast<uint32_t>(whole); i < tree_.leaves(); ++i) {
      uint32_t is = 0;
      const uint64_t at = uint64_t{i} * 4;
      if (at < state_bytes_) std::memcpy(&is, bytes + at, std::min<uint64_t>(4, state_bytes_ - at));
      if (is != leaves[i]) change(state, first + i, is, before);
    }
  }
  Cached& cached(uint64_t pair) { return cache_[(pair * 0x9e3779b97f4a7c15ull) >> (64 - kCacheBits)]; }
  // In the cache, or else fetches what the table will read.
  void look_up(Pair& pair) {
    if (tree_.right(pair.node) == FoldTree::kNone) {
      pair.number = static_cast<uint32_t>(pair.pair);
      pair.known = true;
      return;
    }
    const Cached& there = cached(pair.pair);
    pair.known = there.pair == pair.pair;
    pair.number = there.number;
    if (!pair.known) nodes_.fetch(pair.pair);
  }
  void add_above(const Pair& pair, const uint32_t* before) {
    uint32_t number = pair.number;
    if (!pair.known) {
      number = nodes_.number(pair.pair);
      if (number == 0 && pair.pair != 0) {
        roots_[pair.state] = kNoRoom;
        return;
      }
      cached(pair.pair) = {pair.pair, number};
    }
    change(pair.state, pair.node, number, before);
  }

  const FoldTree& tree_;
  NodeTable& nodes_;
  const uint64_t state_bytes_, key_bytes_;
  const unsigned number_bits_;
  std::vector<uint32_t> parts_;               // of all states that were unfolded; the leaves are their bytes
  std::vector<Value> values_, above_values_;  // of a level, and of the one above it
  std::vector<Pair> pairs_, below_pairs_;     // of a level, and of the one below it
  std::vector<uint64_t> roots_;
  std::vector<Cached> cache_;
};

struct FoldedModel::Scratch : InnerScratch {
  Scratch(const FoldedModel& folded, uint64_t capacity)
      : InnerScratch(folded.model_.info(), capacity), folder(folded) {}

  Folder folder;
  std::vector<uint8_t> states;  // unfolded
};

FoldedModel::FoldedModel(const Model& model, uint64_t node_bytes)
    : View(model),
      tree_(model.info().state_bytes),
      nodes_(node_bytes),
      number_bits_(tree_.leaves() < 4 ? 32 : nodes_.number_bits()) {
  info_.state_bits = uint64_t{2} * number_bits_;
  info_.state_bytes = (info_.state_bits + 7) / 8;
}

uint64_t FoldedModel::scratch_bytes(const ModelInfo& info) {
  const FoldTree tree(info.state_bytes);
  return kStatesAtATime * (info.state_bytes + tree.parts() * 4) + (sizeof(uint64_t) * 2 << kCacheBits);
}

std::unique_ptr<InnerScratch> FoldedModel::make_scratch(uint64_t capacity) const {
  return std::make_unique<Scratch>(*this, std::min(capacity, kStatesAtATime * info_.max_successors));
}

FoldedModel::Scratch& FoldedModel::folding(Expansion& out) const {
  return static_cast<Scratch&>(scratch(out));
}

void FoldedModel::starts(Expansion& out, const Full& full) const {
  Scratch& own = folding(out);
  Expansion& inner = own.inner;
  own.folder.unfold_zeros();
  const auto hand_on = [&] {
    std::fill_n(inner.parents.data(), inner.count, 0);
    own.folder.fold(inner.states.data(), inner.parents.data(), inner.count);
    for (uint64_t i = 0; i < inner.count; ++i) {
      if (!own.folder.ok(i)) continue;
      out.make_room(full);
      own.folder.write_key(i, out.states.data() + out.count * out.state_bytes);
      out.rules[out.count] = inner.rules[i];
      out.parents[out.count++] = 0;
    }
    add_findings(inner, out);
    inner.failures.clear();
  };
  model_.starts(inner, hand_on);
  hand_on();
}

// Unfolds states, and puts them one after another.
const uint8_t* FoldedModel::unfold(const uint8_t* keys, uint64_t n, Scratch& own) const {
  const uint64_t bytes = model_.info().state_bytes;
  own.folder.unfold(keys, n);
  own.states.resize(n * bytes + kSlackBytes);
  for (uint64_t i = 0; i < n; ++i) std::memcpy(own.states.data() + i * bytes, own.folder.state(i), bytes);
  return own.states.data();
}

void FoldedModel::expand(const uint8_t* keys, uint64_t n, Expansion& out) const {
  Scratch& own = folding(out);
  const uint64_t most = std::max<uint64_t>(1, info_.max_successors);
  while (out.consumed < n && (out.consumed == 0 || out.capacity() - out.count >= most)) {
    const uint64_t room = std::min(out.capacity() - out.count, own.inner.capacity());
    const uint64_t taken = std::min({n - out.consumed, kStatesAtATime, std::max<uint64_t>(1, room / most)});
    own.inner.reset();
    model_.expand(unfold(keys + out.consumed * info_.state_bytes, taken, own), taken, own.inner);
    take_successors(keys, own, out);
  }
}

// Folds what the inner model made of states of the call, from the next one on.
void FoldedModel::take_successors(const uint8_t* keys, Scratch& own, Expansion& out) const {
  Expansion& inner = own.inner;
  const uint64_t first = out.consumed;
  own.folder.fold(inner.states.data(), inner.parents.data(), inner.count);
  for (uint64_t i = 0; i < inner.count; ++i) {
    if (!own.folder.ok(i)) continue;
    uint8_t* key = out.states.data() + out.count * out.state_bytes;
    own.folder.write_key(i, key);
    const uint64_t parent = first + inner.parents[i];
    if (!out.emit_self_loops && std::memcmp(key, keys + parent * out.state_bytes, out.state_bytes) == 0)
      continue;
    out.rules[out.count] = inner.rules[i];
    out.parents[out.count++] = static_cast<uint32_t>(parent);
  }
  for (Failure& failure : inner.failures) failure.state += static_cast<uint32_t>(first);
  add_findings(inner, out);
  out.consumed += inner.consumed;
  out.transitions += inner.transitions;
  out.orbit_states += inner.orbit_states;
  out.canonicalise_seconds += inner.canonicalise_seconds;
}

void FoldedModel::check(const uint8_t* keys, uint64_t n, Expansion& out) const {
  Scratch& own = folding(out);
  while (out.consumed < n) {
    const uint64_t taken = std::min(n - out.consumed, kStatesAtATime);
    own.inner.reset();
    model_.check(unfold(keys + out.consumed * info_.state_bytes, taken, own), taken, own.inner);
    for (Failure& failure : own.inner.failures) failure.state += static_cast<uint32_t>(out.consumed);
    add_findings(own.inner, out);
    out.consumed += taken;
  }
}

// The states of keys, some at a time: calls f(first, states, n).
template <class F>
void FoldedModel::each_unfolded(const uint8_t* keys, uint64_t n, const F& f) const {
  Scratch own(*this, 1);
  for (uint64_t first = 0; first < n; first += kStatesAtATime) {
    const uint64_t taken = std::min(n - first, kStatesAtATime);
    f(first, unfold(keys + first * info_.state_bytes, taken, own), taken);
  }
}

std::vector<uint8_t> FoldedModel::unfold(const uint8_t* key) const {
  std::vector<uint8_t> result;
  each_unfolded(key, 1, [&](uint64_t, const uint8_t* state, uint64_t) {
    result.assign(state, state + model_.info().state_bytes);
  });
  return result;
}

void FoldedModel::propositions(const uint8_t* keys, uint64_t n, uint64_t* values,
                               std::vector<Failure>& failures) const {
  each_unfolded(keys, n, [&](uint64_t first, const uint8_t* states, uint64_t count) {
    const size_t before = failures.size();
    model_.propositions(states, count, values + first, failures);
    for (size_t i = before; i < failures.size(); ++i) failures[i].state += static_cast<uint32_t>(first);
  });
}

void FoldedModel::accepting(const uint8_t* keys, uint64_t n, uint8_t* values) const {
  each_unfolded(keys, n, [&](uint64_t first, const uint8_t* states, uint64_t count) {
    model_.accepting(states, count, values + first);
  });
}

Value FoldedModel::describe(const uint8_t* key) const {
  std::vector<uint8_t> state = unfold(key);
  state.resize(state.size() + kSlackBytes);
  return model_.describe(state.data());
}

}  // namespace strata
