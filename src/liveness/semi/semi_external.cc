#include "liveness/semi/semi_external.h"

#include <algorithm>

#include "engine/contract/parameters.h"
#include "liveness/lasso/path_search.h"
#include "search/algorithms.h"

namespace strata {

namespace {

SearchOptions adapted(const SearchOptions& options, bool one_error) {
  SearchOptions result = options;
  result.deadlock = DeadlockMode::off;
  if (!one_error) return result;
  result.bound.reset();
  result.max_errors = 1;
  return result;
}

// States are generated as `dddd` does by default.
SearchOptions dddd_options() { return with_defaults(*find_algorithm("dddd"), {}); }

}  // namespace

SemiExternal::SemiExternal(const SearchContext& context, const SemiOptions& options)
    : search_options_(adapted(context.options, options.one_error)),
      context_(context.with(context.model, search_options_)),
      run_(context_),
      policy_(dddd_options()),
      search_(run_, policy_, {0, parameter<uint64_t>(dddd_options(), "partial")}),
      index_(run_, search_, options) {}

bool SemiExternal::SlicePolicy::detect(const MergeView& view) {
  uint64_t known = view.visited + view.front;
  for (const uint64_t size : view.candidates) known += size;
  const bool asked = inner_.detect(view);
  return asked || known >= target;
}

Status SemiExternal::prepare() {
  if (Status status = search_.prepare(); !status.ok()) return status;
  successors_.resize(run().threads());
  for (unsigned i = 0; i < run().threads(); ++i) {
    out(i).check_properties = false;
    out(i).deadlock = DeadlockMode::off;
  }
  return {};
}

// ---- checkpoints

Status SemiExternal::save_with(Checkpoints::Serialize own) {
  own_exchange_ = std::move(own);
  return run_.save_with([this](Image& image) { serialize(image); });
}

void SemiExternal::serialize(Image& image) {
  search_.serialize(image);
  image.value("begun", begun_);
  image.value("whole", whole_);
  image.value("extra_expansions", extra_expansions);
  image.value("generate_seconds", generate_seconds_);
  own_exchange_(image);
  index_.serialize(image);
}

// ---- the states

uint64_t SemiExternal::generated() const {
  uint64_t states = 0;
  for (const uint64_t size : search_.level_sizes()) states += size;
  return states;
}

bool SemiExternal::generate(uint64_t states) {
  const auto begin = Clock::now();
  for (unsigned i = 0; i < run().threads(); ++i) out(i).emit_self_loops = false;
  policy_.target = states;
  run().saving().set_savable(true);
  const uint64_t before = generated();
  if (!begun_) search_.begin_anew();
  begun_ = true;
  while (goes_on() && !whole_ && !(search_.nothing_waits() && generated() >= states)) {
    if (search_.advance()) continue;
    whole_ = goes_on();
    break;
  }
  if (whole_) search_.decide_all();
  generate_seconds_ += seconds_between(begin, Clock::now());
  if (goes_on() && generated() > before) run().saving().checkpoint_phase();
  run().saving().set_savable(false);
  return goes_on();
}

bool SemiExternal::number_states() {
  search_.release_tables();
  for (unsigned i = 0; i < run().threads(); ++i) out(i).emit_self_loops = true;
  return index_.build() && clear_bits();
}

bool SemiExternal::forget() {
  index_.drop();
  const Status status = search_.make_tables();
  return status.ok() || fail(status);
}

bool SemiExternal::clear_bits() {
  index_.bits().clear();
  return whole_ || index_.mark_frontier();
}

bool SemiExternal::expand(unsigned thread, const uint8_t* states, uint64_t n) {
  Expansion& expansion = out(thread);
  expansion.reset();
  run().model.expand(states, n, expansion);
  if (!run().charge(run().worker(thread), expansion.count))
    return fail(run().no_room_for_successors(expansion.count));
  Successors& own = successors_[thread];
  own.numbers.resize(std::max<uint64_t>(own.numbers.size(), expansion.count));
  own.accepting.resize(own.numbers.size());
  if (index_.with_depths()) own.depths.resize(own.numbers.size());
  run().model.accepting(expansion.states.data(), expansion.count, own.accepting.data());
  return index_.find(thread, expansion.states.data(), expansion.count, own.numbers.data(),
                     index_.with_depths() ? own.depths.data() : nullptr);
}

Result<SearchResult> SemiExternal::finish(const std::optional<Lasso>& lasso) {
  index_.drop();
  Result<SearchResult> result = search_.finish();
  if (!result.ok()) return result;
  index_.add_details(*result);
  result->details.emplace_back("generate_seconds", generate_seconds_);
  result->details.emplace_back("search_expansions", extra_expansions);
  if (!lasso || !result->counterexamples.empty()) return result;
  Path path;
  for (const PackedState& state : lasso->states) path.states.push_back(state.data());
  path.loop = lasso->loop;
  if (Status status = show(run().model, path, *result); !status.ok()) return status;
  return result;
}

Result<SearchResult> run_semi_external(const SearchContext& context, const SemiOptions& options,
                                       const SemiSearch& search) {
  SemiFindings found;
  Result<SearchResult> result = [&]() -> Result<SearchResult> {
    SemiExternal semi(context, options);
    if (Status status = semi.prepare(); !status.ok()) return status;
    return search(semi, found);
  }();
  if (!result.ok() || !found.on_cycle) return result;
  const Reason reason = result->reason;
  const std::string why = result->stop_message;
  end_early(Reason::none, {}, *result);
  if (result->counterexamples.empty()) {
    if (Status status = add_lasso(context, *found.on_cycle, *result); !status.ok()) return status;
  }
  if (!found.missing.empty() && result->stop == StopReason::none)
    end_early(reason, found.missing + ": " + why, *result);
  return result;
}

}  // namespace strata
