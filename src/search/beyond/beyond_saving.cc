// How a search beyond the memory of its device rests for a checkpoint, and continues from one.
#include <algorithm>

#include "search/beyond/beyond_search.h"
#include "search/beyond/resting_beyond.h"

namespace strata {

// ---- saving

// A checkpoint has no candidates, so these are decided first.
Status BeyondSearch::rest_if_wanted() {
  if (run_.halted() || !run_.saving().pause_wanted()) return {};
  if (Status status = flush(); !status.ok()) return status;
  if (Status status = resolve(); !status.ok() || run_.halted()) return status;
  const Result<double> ahead = weigh_ahead();
  if (!ahead.ok()) return ahead.status();
  if (parts_.before.hand_over_counts(*ahead)) run_.saving().checkpoint();
  return {};
}

// What the states stand for that are not expanded. At the bound, none are.
Result<double> BeyondSearch::weigh_ahead() {
  double ahead = 0;
  if (!states_.shape().reduces) return ahead;
  const auto weigh = [&](uint64_t n) -> Status {
    const Result<double> some = states_.weigh(0, n);
    if (some.ok()) ahead += *some;
    return some.status();
  };
  const Level open = run_.at_bound(number_) ? level_of(number_) : level_;
  if (Status status = in_windows(open, weigh); !status.ok()) return status;
  if (Status status = in_windows(next_part(), weigh); !status.ok()) return status;
  return ahead;
}

void RestingBeyond::visit_levels(uint64_t first, const History::Visit& visit) {
  for (uint64_t level = first; level < search_.number_ && !search_.run_.halted(); ++level)
    visit_level(search_.level_of(level), visit);
}

void RestingBeyond::visit_expanded(const History::Visit& visit) {
  BeyondSearch::Level level = search_.level_of(search_.number_);
  level.early_to = search_.level_.early_from;
  level.to = search_.level_.from;
  visit_level(level, visit);
}

void RestingBeyond::visit_open(const History::Visit& visit) { visit_level(search_.level_, visit); }

void RestingBeyond::visit_next(const History::Visit& visit) { visit_level(search_.next_part(), visit); }

void RestingBeyond::visit_level(const BeyondSearch::Level& level, const History::Visit& visit) {
  DeviceSearch& before = search_.parts_.before;
  before.works(search_.in_windows(level, [&](uint64_t n) { return before.reader().visit(0, n, visit); }));
}

// ---- continuing

Status BeyondSearch::add_saved(const uint8_t* states, uint64_t n) {
  for (uint64_t done = 0; done < n;) {
    // Each state is one key in one of the buffers.
    const uint64_t count = std::min(n - done, plan_.candidates - buffered());
    states_.begin_step();
    if (Status status = states_.add(states + done * run_.info.state_bytes, count); !status.ok())
      return status;
    if (states_.full()) return parts_.before.full();
    done += count;
    if (buffered() > plan_.candidates / 2)
      if (Status status = flush_saved(); !status.ok()) return status;
  }
  return {};
}

// All of them are new, also those that the filter takes for known ones.
Status BeyondSearch::flush_saved() {
  const uint64_t n = states_.candidates(), fresh = states_.fresh();
  if (fresh > 0) {
    if (Status status = append_parted(device_.part_fresh(fresh), visited_); !status.ok()) return status;
  }
  if (n > 0) {
    if (Status status = append_parted(device_.part_candidates(n), visited_); !status.ok()) return status;
  }
  size_ += n + fresh;
  return n + fresh == 0 ? Status() : states_.forget_found();
}

// A part of the level may have been on the device, and is marked then.
Status BeyondSearch::end_saved_level(uint64_t level) {
  if (Status status = flush_saved(); !status.ok()) return status;
  if (const uint64_t marked = level - first_marked_; marked < marks_.size())
    marks_[marked] = row();
  else
    mark();
  return {};
}

Status BeyondSearch::begin_saved_open() {
  if (Status status = flush_saved(); !status.ok()) return status;
  rest_from_ = row();
  return {};
}

Status BeyondSearch::continue_from(const DeviceSearch::Rest& here, const std::vector<uint8_t>& refused) {
  if (Status status = flush_saved(); !status.ok()) return status;
  number_ = here.level;
  level_ = level_of(number_);
  level_.early_from = std::min(here.at, early_states_);
  level_.from = rest_from_;
  expanded_ = here.at - here.from;
  found_ = size_ - here.to;
  // Those that are new are not late.
  const LevelExcess excess = excess_;
  const uint64_t bytes = run_.info.state_bytes, n = refused.size() / bytes;
  for (uint64_t done = 0; done < n;) {
    const uint64_t count = std::min(n - done, plan_.candidates);
    states_.begin_step();
    if (Status status = states_.add(refused.data() + done * bytes, count); !status.ok()) return status;
    if (states_.full()) return parts_.before.full();
    if (Status status = flush(); !status.ok()) return status;
    done += count;
  }
  if (Status status = resolve(); !status.ok()) return status;
  excess_ = excess;
  late_ = 0;
  if (Status status = states_.forget_counts(); !status.ok()) return status;
  const Result<double> ahead = weigh_ahead();
  if (ahead.ok()) parts_.before.continue_counts(*ahead);
  run_.phase("expanding level " + std::to_string(number_));
  return ahead.status();
}

}  // namespace strata
