#include "view/fold/folded_model.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {

// The states that are unfolded before their successors are made, and the most bytes of them: few, so that they stay in
// the cache.
constexpr uint64_t kStatesAtATime = 32, kBytesAtATime = 64 << 10;
// Most states have fewer successors than this.
constexpr uint64_t kManySuccessors = 16;

// Room for the usual number of successors of all of them, or for all successors of one state.
uint64_t successors_at_a_time(const ModelInfo& info, uint64_t states) {
  return std::max(
      {uint64_t{1}, info.max_successors, states * std::min(kManySuccessors, info.max_successors)});
}

uint64_t states_at_a_time(uint64_t state_bytes) {
  return std::clamp<uint64_t>(kBytesAtATime / state_bytes, 1, kStatesAtATime);
}

}  // namespace

struct alignas(128) FoldedModel::Scratch : InnerScratch {
  Scratch(const FoldedModel& folded, uint64_t capacity)
      : InnerScratch(folded.model_.info(), capacity),
        folder(Folder::make(folded.tree_, folded.tables_, folded.model_.info().state_bytes)) {
    inner.changes.resize(inner.capacity() * Expansion::change_words(inner.state_bytes));
  }

  std::unique_ptr<Folder> folder;
};

FoldedModel::FoldedModel(const Model& model, FoldTree tree, uint64_t node_bytes, uint64_t shape_bytes)
    : View(model),
      tree_(std::move(tree)),
      budget_(node_bytes),
      tables_(budget_, shape_bytes == 0 ? node_bytes : shape_bytes),
      at_a_time_(states_at_a_time(model.info().state_bytes)) {
  info_.state_bits = Folder::key_bits(tree_, tables_);
  info_.state_bytes = (info_.state_bits + 7) / 8;
}

FoldedModel::FoldedModel(const Model& model, uint64_t node_bytes)
    : FoldedModel(model, FoldTree::even(model.info().state_bytes), node_bytes) {}

uint64_t FoldedModel::scratch_bytes(const ModelInfo& info, const FoldTree& tree) {
  const uint64_t states = states_at_a_time(info.state_bytes);
  const uint64_t besides =
      (2 + Expansion::change_words(info.state_bytes)) * sizeof(uint64_t) + 1;  // rule, parent, key
  return successors_at_a_time(info, states) * (info.state_bytes + besides) +
         Folder::bytes(tree, info.state_bytes, states);
}

std::unique_ptr<InnerScratch> FoldedModel::make_scratch(uint64_t capacity) const {
  return std::make_unique<Scratch>(*this, std::min(capacity, successors_at_a_time(info_, at_a_time_)));
}

FoldedModel::Scratch& FoldedModel::folding(Expansion& out) const {
  return static_cast<Scratch&>(scratch(out));
}

void FoldedModel::starts(Expansion& out, const Full& full) const {
  Scratch& own = folding(out);
  Expansion& inner = own.inner;
  own.folder->unfold_zeros();
  const auto hand_on = [&] {
    std::fill_n(inner.parents.data(), inner.count, 0);
    own.folder->fold(inner.states.data(), inner.parents.data(), inner.count);
    for (uint64_t i = 0; i < inner.count; ++i) {
      if (!own.folder->ok(i)) continue;
      out.make_room(full);
      own.folder->write_key(i, out.states.data() + out.count * out.state_bytes);
      out.rules[out.count] = inner.rules[i];
      out.parents[out.count++] = 0;
    }
    add_findings(inner, out);
    inner.failures.clear();
  };
  model_.starts(inner, hand_on);
  hand_on();
}

void FoldedModel::expand(const uint8_t* keys, uint64_t n, Expansion& out) const {
  Scratch& own = folding(out);
  const uint64_t most = std::max<uint64_t>(1, info_.max_successors);
  while (out.consumed < n && (out.consumed == 0 || out.capacity() - out.count >= most)) {
    // The inner model stops by itself where its own room ends, which may be before the room of `out` does.
    const uint64_t room = out.capacity() - out.count;
    const uint64_t fit = room >= own.inner.capacity() ? at_a_time_ : std::max<uint64_t>(1, room / most);
    const uint64_t taken = std::min({n - out.consumed, at_a_time_, fit});
    own.inner.reset();
    model_.expand(own.folder->unfold(keys + out.consumed * info_.state_bytes, taken), taken, own.inner);
    take_successors(own, out);
  }
}

bool FoldedModel::arrivals(Expansion& out, bool flush) const {
  Scratch& own = folding(out);
  Expansion& inner = own.inner;
  const bool all_sent = inner_.shared->arrivals(inner, flush);
  take_states(own, out);
  return all_sent;
}

void FoldedModel::hand_out(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = folding(out);
  const uint64_t bytes = model_.info().state_bytes, most = own.inner.capacity();
  for (uint64_t done = 0; done < n; done += std::min(n - done, most)) {
    own.inner.reset();
    inner_.shared->hand_out(states + done * bytes, std::min(n - done, most), own.inner);
    take_states(own, out);
  }
}

// Folds states that have no parent.
void FoldedModel::take_states(Scratch& own, Expansion& out) const {
  Expansion& inner = own.inner;
  if (inner.count == 0) return;
  own.folder->unfold_zeros();
  std::fill_n(inner.parents.data(), inner.count, 0);
  own.folder->fold(inner.states.data(), inner.parents.data(), inner.count);
  for (uint64_t i = 0; i < inner.count; ++i)
    if (own.folder->ok(i)) own.folder->write_key(i, out.states.data() + out.count++ * out.state_bytes);
}

void FoldedModel::make_whole(const uint8_t* keys, uint64_t n, uint8_t* result) const {
  each_unfolded(keys, n, [&](uint64_t first, const uint8_t* states, uint64_t count) {
    strata::make_whole(model_, states, count, result + first * whole().info().state_bytes);
  });
}

// Folds the successors that the inner model made, from the next state of the call on.
void FoldedModel::take_successors(Scratch& own, Expansion& out) const {
  Expansion& inner = own.inner;
  const uint64_t first = out.consumed;
  own.folder->fold(inner.states.data(), inner.parents.data(), inner.count,
                   inner.tells_changes ? inner.changes.data() : nullptr);
  for (uint64_t i = 0; i < inner.count; ++i) {
    if (!own.folder->ok(i)) continue;
    own.folder->write_key(i, out.states.data() + out.count * out.state_bytes);
    const uint64_t parent = first + inner.parents[i];
    if (!out.emit_self_loops && own.folder->is_parent(i, inner.parents[i])) continue;
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
    model_.check(own.folder->unfold(keys + out.consumed * info_.state_bytes, taken), taken, own.inner);
    for (Failure& failure : own.inner.failures) failure.state += static_cast<uint32_t>(out.consumed);
    add_findings(own.inner, out);
    out.consumed += taken;
  }
}

// The states of keys, some at a time: calls f(first, states, n).
template <class F>
void FoldedModel::each_unfolded(const uint8_t* keys, uint64_t n, const F& f) const {
  const std::unique_ptr<Folder> folder = Folder::make(tree_, tables_, model_.info().state_bytes);
  for (uint64_t first = 0; first < n; first += at_a_time_) {
    const uint64_t taken = std::min(n - first, at_a_time_);
    f(first, folder->unfold(keys + first * info_.state_bytes, taken), taken);
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
  state.resize(state.size() + Folder::kSlackBytes);
  return model_.describe(state.data());
}

}  // namespace strata
