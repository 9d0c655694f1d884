#include "liveness/semi/lasso_search.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace strata {

bool AcceptingStates::open_level() {
  reader().close();
  scan_.reset();
  all_given_ = levels_ == semi_.levels().level_sizes().size();
  if (all_given_) return false;
  Result<std::vector<LogRange>> ranges = semi_.levels().level_ranges(levels_++);
  if (!ranges.ok()) return semi_.fail(ranges.status());
  scan_ = std::make_unique<StateScan>(std::move(*ranges));
  reader().open(*scan_);
  return true;
}

bool AcceptingStates::next(PackedState& state, uint64_t& depth, uint64_t& number) {
  const MutexLock lock(mutex_);
  const uint64_t bytes = semi_.state_bytes();
  while (!semi_.run().halted()) {
    if (done_ == span_.count) {
      done_ = span_.count = 0;
      if (scan_) {
        const Result<StateScan::Span> span = reader().next();
        if (!span.ok()) return semi_.fail(span.status());
        span_ = *span;
      }
      if (span_.count == 0 && !open_level()) return false;
      continue;
    }
    const uint8_t* record = span_.records + done_++ * bytes;
    uint8_t accepting = 0;
    semi_.run().model.accepting(record, 1, &accepting);
    if (accepting == 0) continue;
    number = count_++;
    if (number < without_) continue;
    state.assign(record, record + bytes);
    depth = levels_ - 1;
    return true;
  }
  return false;
}

LassoSearch::LassoSearch(SemiExternal& semi, const LassoPlan& plan, unsigned thread, BitArray& bits,
                         Optimum& optimum)
    : semi_(semi),
      thread_(thread),
      bytes_(semi.state_bytes()),
      together_(together(bytes_)),
      bits_(bits),
      optimum_(optimum),
      queue_(semi.run().disk().storage(), "queue." + std::to_string(thread), 2 * bytes_, plan.queue_block,
             semi.run().budget),
      seeds_(semi.run().disk().storage(), "seeds." + std::to_string(thread), bytes_, plan.seeds,
             semi.run().budget),
      batch_(together_ * 2 * bytes_),
      states_(together_ * bytes_) {
  marked_.reserve(1024);
}

Status LassoSearch::open() {
  if (Status status = queue_.open(); !status.ok()) return status;
  return seeds_.open();
}

void LassoSearch::mark(uint64_t number) {
  bits_.set(number);
  many_ = many_ || marked_.size() == marked_.capacity();
  if (!many_) marked_.push_back(number);
}

void LassoSearch::clear_marks() {
  if (many_) {
    bits_.clear();
  } else {
    for (const uint64_t number : marked_) bits_.unset(number);
  }
  marked_.clear();
  many_ = false;
}

bool LassoSearch::search(const PackedState& accepting, uint64_t depth) {
  root_ = accepting;
  depth_ = depth;
  const bool goes_on = collect_seeds() && find_way_back();
  clear_marks();
  seeds_.clear();
  return check(queue_.clear()) && goes_on;
}

// Takes this many records from the queue and calls visit(record, successor, number, depth) for each of their
// successors, until it returns false; records that it pushes come after these. False: visit did so, or the search is to
// end.
template <class Visit>
bool LassoSearch::expand_level(uint64_t waiting, const Visit& visit) {
  while (waiting > 0) {
    const Result<uint64_t> popped = queue_.pop(batch_.data(), std::min(waiting, together_));
    if (!popped.ok()) return semi_.fail(popped.status());
    waiting -= *popped;
    for (uint64_t i = 0; i < *popped; ++i)
      copy_bytes(states_.data() + i * bytes_, batch_.data() + 2 * i * bytes_, bytes_);
    const Expansion& out = semi_.out(thread_);
    for (uint64_t done = 0; done < *popped; done += out.consumed) {
      if (ends()) return false;
      if (!semi_.expand(thread_, states_.data() + done * bytes_, *popped - done)) return false;
      expansions += out.consumed;
      const SemiExternal::Successors& next = semi_.successors(thread_);
      for (uint64_t i = 0; i < out.count; ++i) {
        const uint8_t* record = batch_.data() + 2 * (done + out.parents[i]) * bytes_;
        if (!visit(record, out.successor(i), next.numbers[i], next.depths[i])) return false;
      }
    }
  }
  return true;
}

// Figure 5: a queue record is a state, and bytes of no meaning. False: there is no shorter lasso through the
// root, or the search is to end.
bool LassoSearch::collect_seeds() {
  uint64_t number = 0;
  uint32_t depth = 0;
  if (!semi_.numbers().find(thread_, root_.data(), 1, &number, &depth)) return false;
  mark(number);
  if (!check(seeds_.add(depth, root_.data()))) return false;
  UntouchedVector<uint8_t> record(2 * bytes_);
  const auto push = [&](const uint8_t* state) {
    copy_bytes(record.data(), state, bytes_);
    std::memset(record.data() + bytes_, 0, bytes_);
    return check(queue_.push(record.data(), 1));
  };
  if (!push(root_.data())) return false;
  bool loop = false, cut = false;
  for (uint64_t n = 1; queue_.size() > 0; ++n) {
    const bool goes_on = expand_level(
        queue_.size(), [&](const uint8_t*, const uint8_t* state, uint64_t next, uint32_t next_depth) {
          if (is_root(state)) {
            loop = true;
            optimum_.improve(depth_ + n, root_, root_);
            return true;
          }
          if (bits_.get(next)) return true;
          mark(next);
          const uint64_t opt = optimum_.length();
          if (n + std::max<uint64_t>(next_depth + 1, depth_) < opt &&
              !check(seeds_.add(static_cast<uint32_t>(next_depth + n), state)))
            return false;
          if (n + 1 + depth_ < opt) return push(state);
          cut = true;
          return true;
        });
    if (!goes_on) return false;
  }
  return loop || cut;
}

// The seeds whose time has come join the queue, before those that are there for the next moment.
bool LassoSearch::admit_seeds(uint64_t time, uint64_t& waiting) {
  UntouchedVector<uint8_t> record(2 * bytes_);
  uint64_t numbers[kMostTogether];
  while (!ends()) {
    uint64_t n = 0;
    uint32_t key = 0;
    for (const uint8_t* seed = seeds_.peek(key); n < together_ && seed != nullptr && key <= time;
         seed = seeds_.peek(key)) {
      copy_bytes(states_.data() + n++ * bytes_, seed, bytes_);
      if (!check(seeds_.pop())) return false;
    }
    if (n == 0) return true;
    if (!semi_.numbers().find(thread_, states_.data(), n, numbers, nullptr)) return false;
    for (uint64_t i = 0; i < n; ++i) {
      if (bits_.get(numbers[i])) continue;
      mark(numbers[i]);
      copy_bytes(record.data(), states_.data() + i * bytes_, bytes_);
      copy_bytes(record.data() + bytes_, states_.data() + i * bytes_, bytes_);
      if (!check(queue_.push(record.data(), 1))) return false;
      ++waiting;
    }
  }
  return false;
}

// Figure 6: a queue record is a state and the seed it was reached from.
bool LassoSearch::find_way_back() {
  clear_marks();
  if (!check(seeds_.sort())) return false;
  UntouchedVector<uint8_t> pushed(2 * bytes_);
  uint32_t first = 0;
  uint64_t waiting = 0;
  bool met = false;
  uint64_t time = seeds_.peek(first) == nullptr ? kInfinity : first;
  while (time + 1 < optimum_.length()) {
    if (!admit_seeds(time, waiting)) return false;
    if (waiting == 0) {
      if (seeds_.peek(first) == nullptr) return true;
      time = first;
      continue;
    }
    const bool goes_on = expand_level(
        waiting, [&](const uint8_t* record, const uint8_t* state, uint64_t number, uint32_t state_depth) {
          const uint8_t* seed = record + bytes_;
          if (is_root(state)) {
            optimum_.improve(time + 1, {seed, seed + bytes_}, root_);
            met = true;
            return false;
          }
          if (bits_.get(number)) return true;
          mark(number);
          const uint64_t left = depth_ > state_depth ? depth_ - state_depth : 1;
          if (time + 1 + left >= optimum_.length()) return true;
          copy_bytes(pushed.data(), state, bytes_);
          copy_bytes(pushed.data() + bytes_, seed, bytes_);
          return check(queue_.push(pushed.data(), 1));
        });
    if (!goes_on) return met;
    waiting = queue_.size();
    ++time;
  }
  return true;
}

}  // namespace strata
