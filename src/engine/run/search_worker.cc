#include "engine/run/search_worker.h"

namespace strata {

void SearchWorker::add_counts(const SearchWorker& other) {
  transitions += other.transitions;
  expansions += other.expansions;
  orbit_states += other.orbit_states;
  counts.add(other.counts);
  seconds.add(other.seconds);
  for (uint64_t i = 0; i < out.covered.size(); ++i) out.covered[i] |= other.out.covered[i];
  for (uint64_t i = 0; i < out.premises.size(); ++i) out.premises[i] |= other.out.premises[i];
}

void SearchWorker::set_counts(const SearchWorker& other) {
  transitions = other.transitions;
  expansions = other.expansions;
  orbit_states = other.orbit_states;
  seconds = other.seconds;
  counts = other.counts;
  out.covered = other.out.covered;
  out.premises = other.out.premises;
}

void SearchWorker::serialize_counts(Image& image) {
  image.value("transitions", transitions);
  image.value("expansions", expansions);
  image.value("orbit_states", orbit_states);
  image.value("shares", seconds);
  image.list("covered", out.covered);
  image.list("premises", out.premises);
  image.value("counted_states", counts.state);
  image.list("rule_counts", counts.rules);
}

}  // namespace strata
