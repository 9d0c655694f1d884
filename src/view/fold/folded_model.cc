#include "view/fold/folded_model.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {

// So many states are unfolded before their successors are made, and no more than so many bytes: few, so that all of it stays in
// the cache.
constexpr uint64_t kStatesAtATime = 32, kBytesAtATime = 64 << 10;
// Most states have fewer successors.
constexpr uint64_t kManySuccessors = 16;

uint64_t states_at_a_time(uint64_t state_bytes) {
  return std::clamp<uint64_t>(kBytesAtATime / state_bytes, 1, kStatesAtATime);
}

constexpr unsigned kCacheBits = 14;
// Models may read states in whole words.
constexpr uint64_t kSlackBytes = 16;

}  // namespace

// One thread's folding. All states of a call go down or up the tree together, level by level: what one step needs of the tables of
// nodes is fetched for all of them before it is read.
class FoldedModel::Folder {
 public:
  explicit Folder(const FoldedModel& folded)
      : tree_(folded.tree_),
        pairs_(folded.pairs_),
        fours_(folded.fours_),
        state_bytes_(folded.model_.info().state_bytes),
        key_bytes_(folded.info_.state_bytes),
        number_bits_(folded.number_bits_),
        parts_(tree_.parts() + kSlack, 0) {}

  // Unfolds keys. Then parts(i) are those of state i, of which state(i) is the last part.
  void unfold(const uint8_t* keys, uint64_t n) {
    if (n == 0) return;
    // Those of the last state of the call before: the next ones mostly have much in common with it.
    const uint32_t* last = parts((parts_.size() - kSlack) / tree_.parts() - 1);
    before_.assign(last, last + tree_.parts());
    parts_.resize(n * tree_.parts() + kSlack);
    values_.clear();
    for (uint64_t i = 0; i < n; ++i) {
      std::copy(before_.begin(), before_.end(), parts(i));
      uint64_t pair = 0;
      std::memcpy(&pair, keys + i * key_bytes_, key_bytes_);
      const uint64_t mask = (uint64_t{1} << number_bits_) - 1;
      put(static_cast<uint32_t>(i), 1, static_cast<uint32_t>(pair & mask));
      put(static_cast<uint32_t>(i), 2, static_cast<uint32_t>(pair >> number_bits_ & mask));
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
  void unfold_zeros() { parts_.assign(tree_.parts() + kSlack, 0); }

  // Folds states, each of which differs in little from the one of number parents[i] that was unfolded. ok(i): there was room for
  // its nodes, and write_key(i) writes its key.
  void fold(const uint8_t* states, const uint32_t* parents, uint64_t n) {
    if (pair_cache_.empty()) pair_cache_.resize(uint64_t{1} << kCacheBits);
    if (four_cache_.empty()) four_cache_.resize(uint64_t{1} << kCacheBits);
    changed_.clear();
    roots_.resize(n);
    for (uint64_t i = 0; i < n; ++i) {
      const uint32_t* own = parts(parents[i]);
      roots_[i] = own[1] | static_cast<uint64_t>(own[2]) << 32;
      add_leaves(states + i * state_bytes_, static_cast<uint32_t>(i), own);
    }
    for (unsigned d = tree_.depth(); d-- > 1 && !changed_.empty();) {
      for (Changed& node : changed_) look_up(node);
      changed_.swap(below_);
      changed_.clear();
      for (const Changed& node : below_) add_above(node, parts(parents[node.state]));
    }
    for (const Changed& root : changed_)
      if (roots_[root.state] != kNoRoom) roots_[root.state] = root.words()[0];
  }
  bool ok(uint64_t i) const { return roots_[i] != kNoRoom; }
  void write_key(uint64_t i, uint8_t* key) const {
    const uint64_t pair = (roots_[i] & 0xffffffffu) | roots_[i] >> 32 << number_bits_;
    std::memcpy(key, &pair, key_bytes_);
  }

 private:
  using Four = NodeTable<4>::Node;
  // A node of a state that is to be unfolded, and its number.
  struct Value {
    uint32_t state, node, number;
  };
  // A node of a state that is to be folded.
  struct Changed {
    uint32_t state, node;
    uint32_t values[FoldTree::kMostParts];
    uint32_t number;  // where the cache has it
    bool known;

    Four words() const {
      Four result;
      std::memcpy(result.data(), values, sizeof values);
      return result;
    }
  };
  template <class Node>
  struct Cached {
    Node node{};
    uint32_t number = 0;
  };
  static constexpr uint64_t kNoRoom = ~uint64_t{0};  // numbers are smaller
  static constexpr uint64_t kSlack = FoldTree::kMostParts;

  void put(uint32_t state, uint32_t part, uint32_t number) {
    uint32_t& there = parts(state)[part];
    if (there == number) return;
    there = number;
    if (part >= tree_.nodes()) return;
    const uint32_t count = tree_.node(part).count;
    if (count == 2)
      pairs_.fetch_number(number);
    else if (count > 2)
      fours_.fetch_number(number);
    values_.push_back({state, part, number});
  }
  void put_below(const Value& value) {
    const FoldTree::Node& node = tree_.node(value.node);
    if (node.count == 1) return put(value.state, node.first, value.number);
    Four words{};
    if (node.count == 2)
      words[0] = pairs_.node(value.number)[0];
    else
      words = fours_.node(value.number);
    for (uint32_t i = 0; i < node.count; ++i)
      put(value.state, node.first + i, static_cast<uint32_t>(words[i / 2] >> i % 2 * 32));
  }

  // A part of a state has a new value: the node above it is to be looked up. Those of one state come in the order of their bytes.
  void change(uint32_t state, uint32_t part, uint32_t value, const uint32_t* before) {
    const uint32_t number = tree_.above(part);
    const FoldTree::Node node = tree_.node(number);
    if (changed_.empty() || changed_.back().node != number || changed_.back().state != state) {
      Changed& added = changed_.emplace_back();
      added.state = state;
      added.node = number;
      // Those behind the node's parts are parts of another, and do not count.
      std::memcpy(added.values, before + node.first, sizeof added.values);
      for (uint32_t i = node.count; i < FoldTree::kMostParts; ++i) added.values[i] = 0;
    }
    changed_.back().values[part - node.first] = value;
  }
  void add_leaves(const uint8_t* bytes, uint32_t state, const uint32_t* before) {
    const uint32_t* leaves = before + tree_.nodes();
    const auto first = static_cast<uint32_t>(tree_.nodes());
    // Most of a state is as it was: eight leaves are compared at a time.
    constexpr uint32_t kRun = 8;
    const auto whole = static_cast<uint32_t>(state_bytes_ / FoldTree::kLeafBytes / kRun * kRun);
    for (uint32_t i = 0; i < whole; i += kRun) {
      uint64_t is[kRun / 2], was[kRun / 2], difference = 0;
      std::memcpy(is, bytes + i * FoldTree::kLeafBytes, sizeof is);
      std::memcpy(was, leaves + i, sizeof was);
      for (uint32_t j = 0; j < kRun / 2; ++j) difference |= is[j] ^ was[j];
      if (difference == 0) continue;
      for (uint32_t j = 0; j < kRun; ++j)
        if (const auto leaf = static_cast<uint32_t>(is[j / 2] >> j % 2 * 32); leaf != leaves[i + j])
          change(state, first + i + j, leaf, before);
    }
    for (uint32_t i = whole; i < tree_.leaves(); ++i) {
      uint32_t is = 0;
      const uint64_t at = uint64_t{i} * 4;
      if (at < state_bytes_) std::memcpy(&is, bytes + at, std::min<uint64_t>(4, state_bytes_ - at));
      if (is != leaves[i]) change(state, first + i, is, before);
    }
  }

  template <class Node>
  static Cached<Node>& cached(std::vector<Cached<Node>>& cache, const Node& node) {
    uint64_t hash = node.back();
    for (size_t i = 0; i + 1 < node.size(); ++i) hash = (hash * 0xd6e8feb86659fd93ull) ^ node[i];
    return cache[(hash * 0x9e3779b97f4a7c15ull) >> (64 - kCacheBits)];
  }
  template <class Node>
  static bool is_same(const Node& a, const Node& b) {
    uint64_t difference = 0;
    for (size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }
  // In the cache, or else fetches what the table will read.
  template <class Node, class Table>
  static void look_up(Changed& changed, const Node& node, std::vector<Cached<Node>>& cache,
                      const Table& table) {
    const Cached<Node>& there = cached(cache, node);
    changed.known = is_same(there.node, node);
    changed.number = there.number;
    if (!changed.known) table.fetch(node);
  }
  void look_up(Changed& changed) {
    const uint32_t count = tree_.node(changed.node).count;
    const Four words = changed.words();
    if (count > 2) return look_up(changed, words, four_cache_, fours_);
    if (count == 2) return look_up(changed, {words[0]}, pair_cache_, pairs_);
    changed.number = changed.values[0];
    changed.known = true;
  }
  template <class Node, class Table>
  static uint32_t number(const Node& node, std::vector<Cached<Node>>& cache, Table& table) {
    const uint32_t result = table.number(node);
    cached(cache, node) = {node, result};
    return result;
  }
  void add_above(const Changed& changed, const uint32_t* before) {
    uint32_t value = changed.number;
    if (!changed.known) {
      const Four words = changed.words();
      value = tree_.node(changed.node).count > 2 ? number(words, four_cache_, fours_)
                                                 : number({words[0]}, pair_cache_, pairs_);
      if (value == 0 && (words[0] | words[1]) != 0) {
        roots_[changed.state] = kNoRoom;
        return;
      }
    }
    change(changed.state, changed.node, value, before);
  }

  const FoldTree& tree_;
  NodeTable<2>& pairs_;
  NodeTable<4>& fours_;
  const uint64_t state_bytes_, key_bytes_;
  const unsigned number_bits_;
  std::vector<uint32_t> parts_;  // of all states that were unfolded; the leaves are their bytes
  std::vector<uint32_t> before_;
  std::vector<Value> values_, above_values_;  // of a level, and of the one above it
  std::vector<Changed> changed_, below_;      // of a level, and of the one below it
  std::vector<uint64_t> roots_;
  std::vector<Cached<NodeTable<2>::Node>> pair_cache_;
  std::vector<Cached<Four>> four_cache_;
};

struct alignas(128) FoldedModel::Scratch : InnerScratch {
  Scratch(const FoldedModel& folded, uint64_t capacity)
      : InnerScratch(folded.model_.info(), capacity), folder(folded) {}

  Folder folder;
  std::vector<uint8_t> states;  // unfolded
};

FoldedModel::FoldedModel(const Model& model, uint64_t node_bytes)
    : View(model),
      tree_(model.info().state_bytes),
      budget_(node_bytes),
      pairs_(budget_),
      fours_(budget_),
      number_bits_(tree_.leaves() < 4 ? 32 : pairs_.number_bits()),
      at_a_time_(states_at_a_time(model.info().state_bytes)) {
  info_.state_bits = uint64_t{2} * number_bits_;
  info_.state_bytes = (info_.state_bits + 7) / 8;
}

uint64_t FoldedModel::scratch_bytes(const ModelInfo& info) {
  const FoldTree tree(info.state_bytes);
  const uint64_t successors = std::min(kManySuccessors, info.max_successors);
  return states_at_a_time(info.state_bytes) * ((1 + successors) * info.state_bytes + tree.parts() * 4) +
         (sizeof(uint64_t) * 5 << kCacheBits);
}

std::unique_ptr<InnerScratch> FoldedModel::make_scratch(uint64_t capacity) const {
  return std::make_unique<Scratch>(*this, std::min(capacity, at_a_time_ * info_.max_successors));
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
    const uint64_t taken = std::min({n - out.consumed, at_a_time_, std::max<uint64_t>(1, room / most)});
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
    const uint64_t taken = std::min(n - out.consumed, at_a_time_);
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
  for (uint64_t first = 0; first < n; first += at_a_time_) {
    const uint64_t taken = std::min(n - first, at_a_time_);
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
