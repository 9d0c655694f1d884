// Folded states are the states: every key unfolds to what was folded, equal states have equal keys, and the
// graph of keys is the graph of states.
#include "view/fold/folded_model.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "model/testing/explicit_graph.h"
#include "model/testing/random_graph.h"
#include "view/fold/fold_sample.h"

namespace strata {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(const Expansion& out, uint64_t i) {
  return {out.successor(i), out.successor(i) + out.state_bytes};
}

// A model and the same one folded, searched side by side.
class SideBySide {
 public:
  SideBySide(const Model& model, const FoldedModel& folded, uint64_t capacity)
      : model_(model),
        folded_(folded),
        whole_(model.info(), std::max({capacity, model.info().max_successors, model.info().max_initial})),
        keys_(folded.info(), whole_.capacity()) {
    for (Expansion* out : {&whole_, &keys_}) out->deadlock = DeadlockMode::stuck;
  }

  void run() {
    reset();
    model_.initial(whole_);
    folded_.initial(keys_);
    compare(0, 0);
    while (next_ < queue_.size() && !testing::Test::HasFatalFailure()) step();
  }
  uint64_t states() const { return key_of_.size(); }

 private:
  void reset() {
    whole_.reset();
    keys_.reset();
  }
  void step() {
    reset();
    const uint64_t n = std::min<uint64_t>(queue_.size() - next_, 1 + next_ % 40);
    Bytes states, keys;
    for (uint64_t i = 0; i < n; ++i) {
      const Bytes& state = *queue_[next_ + i];
      states.insert(states.end(), state.begin(), state.end());
      const Bytes& key = key_of_[state];
      keys.insert(keys.end(), key.begin(), key.end());
      ASSERT_EQ(folded_.unfold(key.data()), state);
    }
    states.resize(states.size() + 16);
    folded_.expand(keys.data(), n, keys_);
    ASSERT_GE(keys_.consumed, 1u);
    model_.expand(states.data(), keys_.consumed, whole_);
    ASSERT_EQ(whole_.consumed, keys_.consumed);
    compare(next_, keys_.consumed);
    next_ += keys_.consumed;
    values(keys, states, n);
  }
  // Keys are as many as states, in the same order, and stand for them.
  void compare(uint64_t, uint64_t) {
    ASSERT_EQ(whole_.count, keys_.count);
    ASSERT_EQ(whole_.transitions, keys_.transitions);
    ASSERT_EQ(whole_.failures.size(), keys_.failures.size());
    for (size_t i = 0; i < whole_.failures.size(); ++i) {
      EXPECT_EQ(whole_.failures[i].state, keys_.failures[i].state);
      EXPECT_EQ(whole_.failures[i].rule, keys_.failures[i].rule);
    }
    EXPECT_EQ(whole_.covered, keys_.covered);
    for (uint64_t i = 0; i < whole_.count; ++i) {
      ASSERT_EQ(whole_.rules[i], keys_.rules[i]);
      ASSERT_EQ(whole_.parents[i], keys_.parents[i]);
      const auto [entry, fresh] = key_of_.emplace(bytes_of(whole_, i), bytes_of(keys_, i));
      ASSERT_EQ(entry->second, bytes_of(keys_, i));
      if (!fresh) continue;
      ASSERT_TRUE(state_of_.emplace(bytes_of(keys_, i), &entry->first).second);
      queue_.push_back(&entry->first);
    }
  }
  void values(const Bytes& keys, const Bytes& states, uint64_t n) const {
    std::vector<uint64_t> expected(n), found(n);
    std::vector<Failure> failures;
    model_.propositions(states.data(), n, expected.data(), failures);
    folded_.propositions(keys.data(), n, found.data(), failures);
    EXPECT_EQ(expected, found);
    Bytes accepting(n), also(n);
    model_.accepting(states.data(), n, accepting.data());
    folded_.accepting(keys.data(), n, also.data());
    EXPECT_EQ(accepting, also);
  }

  const Model& model_;
  const FoldedModel& folded_;
  Expansion whole_, keys_;
  std::map<Bytes, Bytes> key_of_;
  std::map<Bytes, const Bytes*> state_of_;
  std::vector<const Bytes*> queue_;
  size_t next_ = 0;
};

// Tells where successors differ from their parents.
class Telling : public View {
 public:
  explicit Telling(const Model& model) : View(model) {}
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    model_.expand(states, n, out);
    const uint64_t bytes = out.state_bytes, words = Expansion::change_words(bytes);
    out.tells_changes = !out.changes.empty();
    for (uint64_t i = 0; i < out.count && out.tells_changes; ++i) {
      std::fill_n(out.changes.begin() + i * words, words, 0);
      for (uint64_t at = 0; at < bytes; ++at)
        if (out.successor(i)[at] != states[out.parents[i] * bytes + at])
          out.changes[i * words + at / 256] |= uint64_t{1} << at / 4 % 64;
    }
  }
};

TEST(FoldedModel, IsTheModel) {
  const uint64_t sizes[] = {4, 5, 7, 8, 9, 12, 13, 16, 17, 31, 64, 65, 100, 333, 1000, 3000};
  for (uint64_t seed = 1; seed <= 64; ++seed) {
    Graph graph = random_graph(seed);
    graph.state_bytes = std::max(graph.state_bytes, sizes[seed % std::size(sizes)]);
    if (graph.state_bytes > 300 && graph.nodes.size() > 500) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(graph.state_bytes) + " bytes");
    const ExplicitGraphModel model(graph);
    const std::atomic<bool> stop{false};
    FoldTree tree =
        seed % 2 == 0 ? FoldTree::even(graph.state_bytes) : FoldSample(model, 8 << 20, stop).tree();
    const Telling telling(model);
    const Model& inner = seed % 4 < 2 ? static_cast<const Model&>(telling) : model;
    const FoldedModel folded(inner, std::move(tree), 64 << 20);
    SideBySide side(model, folded, seed % 3 == 0 ? 0 : 1000);
    side.run();
    EXPECT_FALSE(folded.out_of_room());
    if (HasFailure()) return;
  }
}

TEST(FoldedModel, SaysWhenThereIsNoRoom) {
  Graph graph = large_random_graph(5);
  graph.state_bytes = 100;
  const ExplicitGraphModel model(graph);
  const FoldedModel folded(model, 4096);
  EXPECT_FALSE(folded.out_of_room());
  Expansion out(folded.info(), std::max(folded.info().max_successors, folded.info().max_initial) * 100);
  out.check_properties = false;
  folded.initial(out);
  for (int i = 0; i < 200 && !folded.out_of_room() && out.count > 0; ++i) {
    const Bytes keys(out.states.data(), out.states.data() + out.count * out.state_bytes);
    const uint64_t n = out.count;
    out.reset();
    folded.expand(keys.data(), n, out);
  }
  EXPECT_TRUE(folded.out_of_room());
  // What was folded before is still there.
  for (uint64_t i = 0; i < out.count; ++i) {
    const Bytes state = folded.unfold(out.successor(i));
    Bytes again(state.size());
    model.encode(model.decode(state.data()), again.data());
    ASSERT_EQ(state, again);
  }
}

}  // namespace
}  // namespace strata
