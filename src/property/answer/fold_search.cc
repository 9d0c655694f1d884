#include "property/answer/fold_search.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ranks/search_ranks.h"
#include "view/fold/fold_sample.h"
#include "view/fold/folded_model.h"

namespace strata {
namespace {

// Smaller states gain little, and searching them whole is faster.
constexpr uint64_t kLeastStateBytes = 96;
// The successors of larger states are made whole, and a few of them fill the memory of a small search.
constexpr uint64_t kMostStateBytes = 64 << 10;
// If this many whole states fit into the memory, most searches end before it is full.
constexpr uint64_t kManyStates = 32 << 20;
// A sample that shows whether states have parts in common: the more states, the more parts they share.
constexpr uint64_t kSampleStates = 2000, kSampleBytes = 64 << 20, kSampleNodeBytes = 32 << 20;
// The memory of nodes with free places, as a multiple of the memory without.
constexpr double kFreePlaces = 1.5;
constexpr uint64_t kLeastNodeBytes = 64 << 10;

// Explores the first states of a model in breadth-first order. Returns how many.
uint64_t explore(const Model& model, uint64_t state_bytes, const SearchContext& context) {
  Expansion out(model.info(), std::max<uint64_t>(1, model.info().max_successors));
  out.deadlock = context.options.deadlock;
  uint64_t made = 0;  // bytes of successors
  std::unordered_set<std::string> seen;
  std::vector<std::string> queue;
  const auto take = [&] {
    for (uint64_t i = 0; i < out.count && seen.size() < kSampleStates; ++i) {
      std::string key(reinterpret_cast<const char*>(out.successor(i)), out.state_bytes);
      if (seen.insert(key).second) queue.push_back(std::move(key));
    }
  };
  out.reset();
  model.starts(out, take);
  take();
  for (size_t i = 0; i < queue.size() && seen.size() < kSampleStates && made < kSampleBytes; ++i) {
    if (context.stop) break;
    out.reset();
    const std::string key = queue[i];
    model.expand(reinterpret_cast<const uint8_t*>(key.data()), 1, out);
    made += out.count * state_bytes;
    take();
  }
  return seen.size();
}

// Whether folded states would take at most half of the memory.
bool gains(const SearchContext& context, const FoldTree& tree) {
  const Model& model = whole_model(context.model);
  const uint64_t whole = model.info().state_bytes;
  const FoldedModel sample(model, tree, std::min(kSampleNodeBytes, context.options.memory / 8));
  const uint64_t states = explore(sample, whole, context);
  if (states == 0 || sample.out_of_room()) return false;
  const double nodes = kFreePlaces * static_cast<double>(sample.used_bytes()) / static_cast<double>(states);
  return 2 * (static_cast<double>(sample.info().state_bytes) + nodes) <= static_cast<double>(whole);
}

// Whether the model's states are worth a sample.
bool may_gain(const SearchContext& context) {
  const SearchOptions& options = context.options;
  const ModelInfo& info = context.model.info();
  if (info.state_bytes > kMostStateBytes || options.fold == FoldMode::off) return false;
  if (options.fold == FoldMode::on) return true;
  if (info.state_bytes < kLeastStateBytes || info.max_initial > kSampleStates) return false;
  // Files that are kept for others contain whole states.
  return options.memory / info.state_bytes < kManyStates && options.disk.keep_folder.empty();
}

void unfold(const FoldedModel& folded, Counterexample& counterexample) {
  for (TraceStep& step : counterexample.steps) step.state = folded.unfold(step.state.data());
}

Folding describe(const FoldedModel& folded) {
  return {folded.info().state_bytes, folded.tree().chunks(), folded.nodes(), folded.node_bytes()};
}

// How states are folded, as part of checkpoints: a resumed run folds them as before, whatever its memory is.
struct FoldChoice {
  bool folds = false;
  Folding folding;  // if folding was given up
  std::optional<FoldTree> tree;
  uint64_t shape_bytes = 0;  // of the nodes, at the beginning
  uint64_t used_bytes = 0;   // of the nodes, at the checkpoint

  void serialize(Image& image, const Model& model, const FoldedModel* folded) {
    if (folded != nullptr) used_bytes = folded->node_bytes();
    image.value("folds", folds);
    image.value("given_up", folding);
    if (!folds) return;
    image.value("shape_bytes", shape_bytes);
    image.value("used_bytes", used_bytes);
    std::vector<FoldTree::Chunk> chunks;
    std::vector<FoldTree::Node> nodes;
    for (uint32_t i = 0; tree && i < tree->chunks(); ++i) chunks.push_back(tree->chunk(i));
    for (uint32_t i = 0; tree && i < tree->nodes(); ++i) nodes.push_back(tree->node(tree->chunks() + i));
    image.list("chunks", chunks);
    image.list("nodes", nodes);
    if (image.restores() && image.ok()) tree.emplace(model.info().state_bytes, chunks, nodes);
  }
};

// Whether states are folded in this search, and how.
void choose(const SearchContext& context, FoldChoice& choice) {
  if (!may_gain(context)) return;
  choice.tree =
      FoldSample(whole_model(context.model), std::min(kSampleBytes, context.options.memory / 8), context.stop)
          .tree();
  choice.folds = context.options.fold == FoldMode::on || gains(context, *choice.tree);
}

// Folds only if all ranks gain, because ranks can only begin again together.
void choose_together(const SearchContext& context, FoldChoice& choice) {
  choose(context, choice);
  if (make_ranks(context.exchange)->any(!choice.folds)) choice.folds = false;
}

// A device folds states itself, in its own memory, if the user asks for that: it cannot begin again with whole states
// when its part of the memory for nodes is full. So checkpoints of a device have whole states.
Result<SearchResult> search_on_device(const Runner& run, const Algorithm& algorithm,
                                      const SearchContext& context) {
  if (context.device == nullptr || context.options.fold != FoldMode::on) return run(algorithm, context);
  FoldChoice choice;
  SearchContext chosen = context;
  SearchDevice device = *context.device;
  choose(context, choice);
  if (!choice.folds || context.model.info().state_bytes <= sizeof(uint64_t)) return run(algorithm, context);
  const StateTree tree = choice.tree->pairs_only();
  device.tree = &tree;
  chosen.device = &device;
  return run(algorithm, chosen);
}

// Only the processor can continue what it has folded.
SearchContext on_processor(const SearchContext& context) {
  SearchContext other = context;
  if (context.device == nullptr) return other;
  context.checkpoints->say("the saved states are folded, so the processor continues the search");
  other.device = nullptr;
  return other;
}

// The result of a resumed run whose memory has no room for its nodes.
SearchResult too_small() {
  SearchResult result;
  result.verdict = Verdict::incomplete;
  end_early(Reason::memory_for_parts,
            "--memory is too small for the parts of folded states that this run has; raise it", result);
  return result;
}

// The search with folded states. None: the nodes had no room, or left too little for the search to begin.
std::optional<Result<SearchResult>> search_folded(const Runner& run, const Algorithm& algorithm,
                                                  const SearchContext& context, FoldChoice& choice,
                                                  const FoldedModel*& saved, Folding& folding) {
  const SearchOptions& asked = context.options;
  const FoldTree& tree = *choice.tree;
  const uint64_t buffers = asked.threads * FoldedModel::scratch_bytes(context.model.info(), tree);
  const std::unique_ptr<SearchRanks> ranks = make_ranks(context.exchange);
  if (ranks->any(asked.memory / 2 <= buffers + kLeastNodeBytes)) return std::nullopt;
  // The nodes of a checkpoint must fit again.
  const uint64_t node_bytes = std::max(asked.memory / 2 - buffers, choice.used_bytes);
  if (choice.shape_bytes == 0) choice.shape_bytes = node_bytes;
  const FoldedModel folded(context.model, tree, node_bytes, choice.shape_bytes);
  saved = &folded;
  SearchOptions options = asked;
  const uint64_t lent = std::min(asked.memory / 8 * 7, std::max(asked.memory / 2, node_bytes));
  options.memory -= lent;
  options.lent += lent;
  Result<SearchResult> found = run(algorithm, context.with(folded, options));
  saved = nullptr;
  if (!found.ok()) return found;
  folding = describe(folded);
  const bool no_room = folded.out_of_room() || (found->stop == StopReason::memory && found->states == 0);
  if (ranks->any(no_room) && found->counterexamples.empty()) return std::nullopt;
  // If the model is divided among ranks, states of counterexamples are whole already.
  if (context.model.capabilities().shared == nullptr)
    for (Counterexample& counterexample : found->counterexamples) unfold(folded, counterexample);
  if (found->witness) unfold(folded, *found->witness);
  found->folding = folding;
  found->memory_budget = asked.memory;
  found->memory_plan.emplace_back("nodes", asked.memory / 2);
  return found;
}

}  // namespace

Runner folding(Runner run) {
  return [run = std::move(run)](const Algorithm& algorithm,
                                const SearchContext& context) -> Result<SearchResult> {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    FoldChoice choice;
    const FoldedModel* saved = nullptr;
    std::unique_ptr<Checkpoints::Part> part;
    const bool resumes = context.checkpoints != nullptr && context.checkpoints->restoring();
    const bool on_device = algorithm.has(trait::on_device);
    if (!resumes && !on_device) choose_together(context, choice);
    if (context.checkpoints != nullptr) {
      part = context.checkpoints->add([&](Image& image) { choice.serialize(image, context.model, saved); });
      if (Status status = context.checkpoints->status(); !status.ok()) return status;
    }
    Folding& folding = choice.folding;
    if (!choice.folds && on_device) return search_on_device(run, algorithm, context);
    if (!choice.folds) {
      Result<SearchResult> whole = run(algorithm, context);
      // Given up by the run that this one continues.
      if (whole.ok() && folding.given_up) whole->folding = folding;
      return whole;
    }
    Folding tried;
    if (std::optional<Result<SearchResult>> found =
            search_folded(run, algorithm, on_processor(context), choice, saved, tried))
      return std::move(*found);
    if (resumes && context.checkpoints->restoring()) return too_small();
    choice.folds = false;
    folding = tried;
    folding.given_up = true;
    const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
    const SearchOptions options = context.options.after(spent);
    Result<SearchResult> whole = run(algorithm, context.with(context.model, options));
    if (!whole.ok()) return whole;
    whole->folding = folding;
    whole->seconds.search += spent + context.seconds_before();
    return whole;
  };
}

}  // namespace strata
