// What holds of every view: what it does not change is the inner model's, and it hands on the capabilities that do not
// depend on its states. Each view, and each pair of nested ones, is put over a model that notes how it is called.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/image/image.h"
#include "model/testing/explicit_graph.h"
#include "view/fair/fair_paths.h"
#include "view/fold/folded_model.h"
#include "view/goal_model.h"
#include "view/invariant.h"
#include "view/product.h"
#include "view/quotient/quotient.h"
#include "view/share/shared_model.h"
#include "view/target.h"

namespace strata {
namespace {

constexpr uint32_t kCover = 2;  // the property of that number in an explicit graph

// Of one element: every state is an orbit.
class NoRenaming final : public Symmetry {
 public:
  const std::vector<SymmetricSet>& sets() const override { return sets_; }
  void canonicalise(uint8_t*, uint64_t) const override {}
  void canonicalise(const Successors& successors, double* sizes) const override {
    std::fill_n(sizes, successors.parent_count, 1.0);
  }
  void permute(const uint8_t*, const uint8_t*, uint8_t*) const override {}

 private:
  const std::vector<SymmetricSet> sets_{{"Node", 1}};
};

// The graph, with the options that it was last called with, a text to put and a cover at each call, and all
// capabilities.
class SpyModel final : public View,
                       private ErrorStates,
                       private OwnMemory,
                       private SavedData,
                       private WholeStates,
                       private SharedStates {
 public:
  explicit SpyModel(const Model& model) : View(model) {}

  void starts(Expansion& out, const Full& full) const override {
    note(out);
    model_.starts(out, full);
  }
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    note(out);
    model_.expand(states, n, out);
  }
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override {
    note(out);
    model_.check(states, n, out);
  }
  Capabilities capabilities() const override {
    Capabilities offered;
    offered.symmetry = &symmetry_;
    offered.error_states = this;
    offered.memory = this;
    offered.saved = this;
    offered.whole = this;
    offered.shared = this;
    return offered;
  }

  bool is_full = false;
  mutable int saved = 0;  // how often

  // Of the last call; none: there was none since the last time.
  std::optional<ExpansionOptions> take_seen() const { return std::exchange(seen_, std::nullopt); }

 private:
  void note(Expansion& out) const {
    seen_ = out.options();
    out.covered[kCover] = 1;
    if (out.put != nullptr) out.put(out.put_context, "text", 4);
  }

  bool reached_error_state() const override { return true; }
  bool out_of_room() const override { return is_full; }
  void serialize(Image&) const override { ++saved; }
  // Its states stand for those of the graph.
  const Model& whole() const override { return model_; }
  void make_whole(const uint8_t* states, uint64_t n, uint8_t* result) const override {
    std::copy_n(states, n * info_.state_bytes, result);
  }
  // All states belong here; those that were handed out arrive.
  bool arrivals(Expansion& out, bool) const override {
    std::copy(arriving_.begin(), arriving_.end(), out.states.data());
    out.count = arriving_.size() / info_.state_bytes;
    arriving_.clear();
    return true;
  }
  void hand_out(const uint8_t* states, uint64_t n, Expansion&) const override {
    arriving_.assign(states, states + n * info_.state_bytes);
  }

  mutable std::optional<ExpansionOptions> seen_;
  mutable std::vector<uint8_t> arriving_;
  const NoRenaming symmetry_;
};

// A checkpoint that goes nowhere.
class NoImage final : public Image {
 public:
  NoImage() : Image(Mode::saves) {}

 private:
  Status write(const uint8_t*, uint64_t) override { return {}; }
  Status read(uint8_t*, uint64_t) override { return Status::internal("nothing is read"); }
  uint64_t left() const override { return 0; }
  std::string where() const override { return "nowhere"; }
};

// Node 0 goes to 1 and to itself; 1 to 2, or fails; 2 breaks an invariant, and goes nowhere.
Graph small_graph() {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].edges = {{1, 0, false}, {0, 1, false}};
  graph.nodes[0].propositions = 1;
  graph.nodes[0].accepting = true;
  graph.nodes[1].edges = {{2, 2, false}, {0, 3, true}};
  graph.nodes[1].propositions = 2;
  graph.nodes[2].violates = true;
  graph.nodes[2].propositions = 3;
  graph.nodes[2].accepting = true;
  graph.initial = {1, 0};
  graph.with_cover = true;
  graph.processes = 2;
  return graph;
}

// Reads every word, in two states.
ltl::Automaton any_word() {
  ltl::Automaton automaton;
  automaton.states = {{{{}, 0, 1}, {{}, 1, 1}}, {{{}, 0, 0}}};
  return automaton;
}

struct ViewCase {
  const char* name;
  std::unique_ptr<Model> (*make)(const Model& model, ltl::FormulaPool& pool);
  // What the view has its own of, instead of the model's.
  bool properties = false, deadlocks = false, propositions = false, accepting = false;
  bool lowest = false;  // it is put over a model that is not a view
  // Capabilities that it has of its own. What a view does not have of its own and does not hand on it must not offer.
  bool whole = false, shares = false;
};

void PrintTo(const ViewCase& view, std::ostream* out) { *out << view.name; }

const ViewCase kViews[] = {
    {"plain",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       return std::make_unique<View>(model);
     }},
    {"product",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       return std::make_unique<ProductModel>(model, any_word(), FinitePaths::ignore);
     },
     false, false, false, true},
    {"fair",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       return std::make_unique<FairModel>(model);
     }},
    {"invariant",
     [](const Model& model, ltl::FormulaPool& pool) -> std::unique_ptr<Model> {
       return std::make_unique<InvariantModel>(model,
                                               std::vector<StateCondition>{{pool.constant(true), "always"}});
     },
     true, false, true, false},
    {"target",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       return std::make_unique<TargetModel>(model, std::vector<uint8_t>());
     },
     true, true, false, false},
    {"quotient",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       return std::make_unique<QuotientModel>(model);
     },
     false, false, false, false, true},
    {"folded",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       return std::make_unique<FoldedModel>(model, 1 << 20);
     },
     false, false, false, false, false, true, true},
    {"shared",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       static const std::unique_ptr<cluster::Transport> alone = cluster::Transport::alone();
       static cluster::Exchange exchange(*alone);
       return std::make_unique<SharedModel>(model, exchange, SharedModel::Sizes(), StateOwner(1));
     },
     false, false, false, false, false, true, true},
    {"goals",
     [](const Model& model, ltl::FormulaPool&) -> std::unique_ptr<Model> {
       return std::make_unique<GoalModel>(model);
     },
     true, true, false, false},
};

int64_t node_of(const Model& model, const uint8_t* state) {
  return model.describe(state).members[0].second.number;
}

// The nodes of all reachable states, which are expanded a few at a time.
std::multiset<int64_t> reachable_nodes(const Model& model, uint64_t capacity) {
  const uint64_t bytes = model.info().state_bytes;
  std::vector<uint8_t> states;
  std::set<std::vector<uint8_t>> seen;
  std::multiset<int64_t> nodes;
  const auto add = [&](const Expansion& out) {
    for (uint64_t i = 0; i < out.count; ++i) {
      if (!seen.emplace(out.successor(i), out.successor(i) + bytes).second) continue;
      states.insert(states.end(), out.successor(i), out.successor(i) + bytes);
      nodes.insert(node_of(model, out.successor(i)));
    }
  };
  Expansion out(model.info(), std::max({capacity, model.info().max_successors, model.info().max_initial}));
  out.check_properties = false;
  model.initial(out);
  add(out);
  for (uint64_t done = 0; done < seen.size(); done += out.consumed) {
    const std::vector<uint8_t> batch(states.begin() + static_cast<std::ptrdiff_t>(done * bytes),
                                     states.end());
    out.reset();
    model.expand(batch.data(), batch.size() / bytes, out);
    EXPECT_GE(out.consumed, 1u);
    EXPECT_LE(out.count, out.capacity());
    add(out);
  }
  return nodes;
}

void put_text(void* context, const char* text, uint64_t length) {
  static_cast<std::string*>(context)->append(text, length);
}

class ViewContractTest : public testing::TestWithParam<ViewCase> {
 protected:
  ViewContractTest()
      : graph_(small_graph()), spy_(graph_), view_(GetParam().make(spy_, pool_)), out_(view_->info(), 100) {
    out_.deadlock = DeadlockMode::stuck;
    out_.report_errors = true;
    out_.put = put_text;
    out_.put_context = &text_;
  }

  // The initial states, node 1 and node 0, from an Expansion that is not used for anything else.
  std::vector<uint8_t> initial_states() const {
    Expansion out(view_->info(), 10);
    view_->initial(out);
    return {out.states.data(), out.states.data() + out.count * out.state_bytes};
  }

  // The last call reached the model with the options of the caller's Expansion, and what it noted came back.
  void expect_seen(Expansion& out, bool checks) {
    const std::optional<ExpansionOptions> seen = spy_.take_seen();
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->check_properties, checks);
    EXPECT_TRUE(seen->report_errors);
    EXPECT_EQ(seen->put, put_text);
    EXPECT_EQ(seen->put_context, &text_);
    EXPECT_EQ(std::exchange(text_, ""), "text");
    EXPECT_EQ(std::exchange(out.covered[kCover], uint8_t{0}), 1);
  }
  void expect_options_kept() const {
    EXPECT_EQ(out_.deadlock, DeadlockMode::stuck);
    EXPECT_TRUE(out_.check_properties);
    EXPECT_FALSE(out_.emit_self_loops);
    EXPECT_TRUE(out_.report_errors);
  }

  const ExplicitGraphModel graph_;
  SpyModel spy_;
  ltl::FormulaPool pool_;
  const std::unique_ptr<Model> view_;
  Expansion out_;
  std::string text_;
};

TEST_P(ViewContractTest, OptionsAndCoversOfInitialStates) {
  view_->initial(out_);
  expect_seen(out_, true);
  expect_options_kept();
  EXPECT_EQ(out_.count, 2u);
  EXPECT_EQ(out_.rules[1], 1u);
}

TEST_P(ViewContractTest, OptionsAndCoversOfExpand) {
  const std::vector<uint8_t> states = initial_states();
  spy_.take_seen();
  view_->expand(states.data(), 2, out_);
  EXPECT_EQ(out_.consumed, 2u);
  expect_seen(out_, !GetParam().properties);
  expect_options_kept();
}

TEST_P(ViewContractTest, OptionsAndCoversOfCheck) {
  const std::vector<uint8_t> states = initial_states();
  spy_.take_seen();
  view_->check(states.data(), 2, out_);
  EXPECT_EQ(out_.consumed, 2u);
  if (!GetParam().properties) expect_seen(out_, true);
  expect_options_kept();
}

TEST_P(ViewContractTest, DeadlocksAreThoseThatTheCallerAsksFor) {
  const std::vector<uint8_t> states = initial_states();
  for (const DeadlockMode mode : {DeadlockMode::stuck, DeadlockMode::stuttering, DeadlockMode::off}) {
    out_.deadlock = mode;
    out_.reset();
    view_->expand(states.data(), 1, out_);
    EXPECT_EQ(spy_.take_seen()->deadlock, GetParam().deadlocks ? DeadlockMode::off : mode);
    EXPECT_EQ(out_.deadlock, mode);
  }
}

TEST_P(ViewContractTest, ARuleThatFailsIsAFailureOfItsState) {
  const std::vector<uint8_t> states = initial_states();
  const uint64_t bytes = view_->info().state_bytes;
  std::vector<uint8_t> batch(states.begin() + static_cast<std::ptrdiff_t>(bytes), states.end());
  batch.insert(batch.end(), states.begin(), states.begin() + static_cast<std::ptrdiff_t>(bytes));
  view_->expand(batch.data(), 2, out_);
  ASSERT_EQ(out_.failures.size(), 1u);
  EXPECT_EQ(out_.failures[0].state, 1u);
  EXPECT_EQ(out_.failures[0].rule, 3u);
  EXPECT_EQ(view_->describe_failure(out_.failures[0]).message, "Run-time error.");
}

TEST_P(ViewContractTest, PropositionsAndAcceptingStates) {
  const std::vector<uint8_t> states = initial_states();
  uint64_t values[2] = {};
  std::vector<Failure> failures;
  view_->propositions(states.data(), 2, values, failures);
  EXPECT_EQ(values[0], GetParam().propositions ? 1u : 2u);
  EXPECT_EQ(values[1], 1u);
  uint8_t accepting[2] = {7, 7};
  view_->accepting(states.data(), 2, accepting);
  EXPECT_EQ(accepting[0], GetParam().accepting ? 1 : 0);
  EXPECT_EQ(accepting[1], 1);
}

TEST_P(ViewContractTest, Names) {
  EXPECT_EQ(view_->rule_name(3).text(), "Rule 3");
  EXPECT_EQ(view_->start_name(1).text(), "Startstate 1");
  const std::vector<uint8_t> states = initial_states();
  EXPECT_EQ(node_of(*view_, states.data()), 1);
  EXPECT_EQ(node_of(*view_, states.data() + view_->info().state_bytes), 0);
  const ModelInfo& info = view_->info();
  EXPECT_EQ(info.path, "graph");
  EXPECT_EQ(info.language, "graph");
  EXPECT_EQ(info.variables.size(), 1u);
  EXPECT_EQ(info.rules.size(), 4u);
  EXPECT_EQ(info.processes, 2u);
  EXPECT_GE(info.properties.size(), 3u);
  EXPECT_EQ(info.max_initial, 2u);
}

TEST_P(ViewContractTest, ItHasNoSymmetry) { EXPECT_EQ(view_->capabilities().symmetry, nullptr); }

TEST_P(ViewContractTest, ItHandsOnErrorStates) {
  ASSERT_NE(view_->capabilities().error_states, nullptr);
  EXPECT_TRUE(reached_error_state(*view_));
}

TEST_P(ViewContractTest, ItHandsOnTheMemoryOfTheModel) {
  const OwnMemory* const memory = view_->capabilities().memory;
  ASSERT_NE(memory, nullptr);
  EXPECT_FALSE(memory->out_of_room());
  spy_.is_full = true;
  EXPECT_TRUE(memory->out_of_room());
}

TEST_P(ViewContractTest, ItHandsOnTheDataOfTheModel) {
  const SavedData* const saved = view_->capabilities().saved;
  ASSERT_NE(saved, nullptr);
  NoImage image;
  saved->serialize(image);
  EXPECT_EQ(spy_.saved, 1);
  EXPECT_TRUE(image.ok());
}

// Its states stand for the inner model's only if the view says so itself.
TEST_P(ViewContractTest, WholeStates) {
  if (!GetParam().whole) {
    EXPECT_EQ(view_->capabilities().whole, nullptr);
    EXPECT_EQ(&whole_model(*view_), view_.get());
    return;
  }
  const std::vector<uint8_t> states = initial_states();
  const Model& whole = whole_model(*view_);
  std::vector<uint8_t> result(2 * whole.info().state_bytes);
  make_whole(*view_, states.data(), 2, result.data());
  EXPECT_EQ(node_of(whole, result.data()), 1);
  EXPECT_EQ(node_of(whole, result.data() + whole.info().state_bytes), 0);
}

// Arrivals are states of the view, or the view does not have any.
TEST_P(ViewContractTest, SharedStates) {
  const strata::SharedStates* const shared = view_->capabilities().shared;
  ASSERT_EQ(shared != nullptr, GetParam().shares);
  if (shared == nullptr) return;
  Expansion start(whole_model(*view_).info(), 10);
  whole_model(*view_).initial(start);
  ASSERT_EQ(start.count, 2u);
  out_.reset();
  shared->hand_out(start.states.data(), 2, out_);
  if (out_.count == 0) shared->arrivals(out_, true);
  ASSERT_EQ(out_.count, 2u);
  EXPECT_EQ(node_of(*view_, out_.successor(0)), 1);
  EXPECT_EQ(node_of(*view_, out_.successor(1)), 0);
}

// Whatever is put over the view: it works with any capacity, and all of this reaches the model at the bottom.
TEST_P(ViewContractTest, ViewsOfViews) {
  for (const ViewCase& upper_case : kViews) {
    if (upper_case.lowest) continue;
    SCOPED_TRACE(upper_case.name);
    const std::unique_ptr<Model> upper = upper_case.make(*view_, pool_);
    const std::multiset<int64_t> nodes = reachable_nodes(*upper, 100);
    EXPECT_EQ(std::set<int64_t>(nodes.begin(), nodes.end()), (std::set<int64_t>{0, 1, 2}));
    EXPECT_EQ(reachable_nodes(*upper, 1), nodes);
    Expansion out(upper->info(), 100);
    out.report_errors = true;
    out.put = put_text;
    out.put_context = &text_;
    upper->initial(out);
    const std::vector<uint8_t> states(out.states.data(),
                                      out.states.data() + out.count * upper->info().state_bytes);
    expect_seen(out, true);
    out.reset();
    upper->expand(states.data(), 2, out);
    expect_seen(out, !GetParam().properties && !upper_case.properties);
    EXPECT_TRUE(reached_error_state(*upper));
    spy_.saved = 0;
    NoImage image;
    upper->capabilities().saved->serialize(image);
    EXPECT_EQ(spy_.saved, 1);
    spy_.is_full = true;
    EXPECT_TRUE(upper->capabilities().memory->out_of_room());
    spy_.is_full = false;
    EXPECT_EQ(upper->rule_name(2).text(), "Rule 2");
  }
}

INSTANTIATE_TEST_SUITE_P(All, ViewContractTest, testing::ValuesIn(kViews),
                         [](const auto& view) { return std::string(view.param.name); });

}  // namespace
}  // namespace strata
