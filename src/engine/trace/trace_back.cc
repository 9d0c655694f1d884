#include "engine/trace/trace_back.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "engine/ranks/joint.h"
#include "engine/trace/backward_paths.h"
#include "engine/trace/parent_targets.h"
#include "engine/trace/path_patience.h"
#include "engine/trace/shared_parents.h"

namespace strata {

namespace {

// Whole states that are made together, and what may be read behind them.
constexpr uint64_t kWholeAtATime = 64, kWholeSlack = 16;

// Successors that are made together.
uint64_t batch_size(const ModelInfo& info) {
  constexpr uint64_t kMost = 1024, kMostBytes = 128 << 10;
  return std::max(std::min(kMost, kMostBytes / info.state_bytes), info.max_successors);
}

using Buffers = std::vector<std::unique_ptr<Expansion>>;  // of the threads that had something to do

std::unique_ptr<Expansion> make_buffer(const SearchContext& context) {
  auto out = std::make_unique<Expansion>(context.model.info(), batch_size(context.model.info()));
  out->deadlock = DeadlockMode::off;
  // With several errors wanted, earlier epochs may hold states that break an invariant: paths end there.
  out->check_properties = context.options.max_errors > 1;
  return out;
}

// Expands an epoch and notes the parents of the targets. The states of the history are those of `searched`.
Status find_parents(const SearchContext& context, const Model& searched, History& history, uint64_t epoch,
                    Buffers& buffers, PathPatience& patience, ParentTargets& targets) {
  const uint64_t bytes = context.model.info().state_bytes;
  std::vector<ParentTargets::Found> found(buffers.size());
  const auto expand = [&](unsigned worker, const uint8_t* first, uint64_t count) {
    if (!buffers[worker]) buffers[worker] = make_buffer(context);
    Expansion& out = *buffers[worker];
    for (uint64_t done = 0; done < count && !patience.over(); done += out.consumed) {
      const uint8_t* states = first + done * bytes;
      out.reset();
      context.model.expand(states, count - done, out);
      for (uint64_t i = 0; i < out.count; ++i)
        targets.meet(out.successor(i), bytes, states + out.parents[i] * bytes, out.rules[i], found[worker]);
    }
  };
  const auto expand_whole = [&](unsigned worker, const uint8_t* first, uint64_t count) {
    UntouchedVector<uint8_t> states(kWholeAtATime * bytes + kWholeSlack);
    for (uint64_t done = 0; done < count; done += kWholeAtATime) {
      const uint64_t n = std::min(kWholeAtATime, count - done);
      make_whole(searched, first + done * searched.info().state_bytes, n, states.data());
      expand(worker, states.data(), n);
    }
  };
  History::Targets wanted;
  for (const auto& [state, parent] : targets.parents()) wanted.push_back(&state);
  const auto visit = [&](unsigned worker, const uint8_t* first, uint64_t count) {
    expand(worker, first, count);
  };
  const auto visit_whole = [&](unsigned worker, const uint8_t* first, uint64_t count) {
    expand_whole(worker, first, count);
  };
  // Targets are whole states; a history of others knows nothing of them.
  const Status status = &searched == &context.model ? history.visit_predecessors(epoch, wanted, visit)
                                                    : history.visit(epoch, visit_whole);
  for (const ParentTargets::Found& part : found) targets.merge(part);
  return status;
}

Traced without_paths(const SearchContext& context, const Findings& findings) {
  Traced traced;
  for (const Finding& finding : findings.all()) {
    Counterexample& counterexample = traced.counterexamples.emplace_back();
    counterexample.text = context.model.describe_failure(finding.failure);
  }
  return traced;
}

}  // namespace

Result<Traced> trace_back(const SearchContext& search, History* history, WorkerPool& pool,
                          const Findings& findings, uint64_t memory) {
  if (findings.all().empty()) return Traced();
  // Several ranks speak of whole states of the whole model.
  std::optional<Joint> joint;
  if (search.exchange != nullptr) joint.emplace(*search.exchange);
  const SearchContext context = search.with(joint ? whole_model(search.model) : search.model, search.options);
  // Without traces a path only explains an error, and the first one tells enough.
  const bool wanted = context.options.trace || findings.all().size() == 1;
  if (history == nullptr || !wanted) return without_paths(context, findings);
  PathPatience patience(context.stop);
  Buffers buffers(pool.threads());
  BackwardPaths paths(findings, memory, context.model.info().state_bytes, pool.threads());
  for (uint64_t epoch = paths.deepest(); epoch-- > 0;) {
    ParentTargets targets = paths.targets(epoch);
    if (targets.empty()) continue;
    context.progress.phase("tracing the error back, level " + std::to_string(epoch));
    const Status status = find_parents(context, search.model, *history, epoch, buffers, patience, targets);
    const bool here = status.ok() && !patience.over();
    const Result<bool> everywhere = joint ? merge_parents(*joint, here, targets) : here;
    if (!status.ok()) return status;
    if (!everywhere.ok()) return everywhere.status();
    if (!*everywhere) return without_paths(context, findings);
    paths.extend(targets, epoch);
  }
  paths.find_starts(context.model);
  Traced traced;
  traced.too_long = paths.given_up().paths;
  traced.needed = paths.given_up().bytes;
  traced.counterexamples.resize(paths.size());
  for (uint64_t i = 0; i < paths.size(); ++i) {
    if (!joint && patience.over()) return without_paths(context, findings);
    if (Status status = paths.finish(context, i, traced.counterexamples[i]); !status.ok()) return status;
  }
  return traced;
}

}  // namespace strata
