// The part of SearchRun that is about other ranks: what they do together at the end of rounds and levels, and
// at the end of the search.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/run/search_run.h"

namespace strata {

namespace {

void append(std::string& text, const void* bytes, uint64_t n) {
  text.append(static_cast<const char*>(bytes), n);
}

// Reads what append() wrote; all zeros when the text is too short.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  void read(void* bytes, uint64_t n) {
    std::memset(bytes, 0, n);
    if (text_.size() - at_ < n) {
      at_ = text_.size();
      return;
    }
    std::memcpy(bytes, text_.data() + at_, n);
    at_ += n;
  }
  template <class T>
  T value() {
    T value;
    read(&value, sizeof value);
    return value;
  }

 private:
  const std::string& text_;
  uint64_t at_ = 0;
};

}  // namespace

// ---- rounds

// False: the store had no room.
bool SearchRun::store_arrivals(SearchWorker& worker, const Store& store, std::atomic<bool>& refused) {
  if (!worker.unstored || store(worker)) return true;
  refused = true;
  return false;
}

void SearchRun::send_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused) {
  while (!halted() && !refused) {
    if (!store_arrivals(worker, store, refused)) return;
    worker.out.reset();
    const bool all_sent = model.arrivals(worker.out, true);
    worker.unstored = worker.out.count > 0;
    if (!worker.unstored && all_sent && joint_->exchange().all_called()) return;
    if (!worker.unstored) joint_->exchange().transport().wait();
  }
}

void SearchRun::take_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused) {
  const cluster::Exchange& exchange = joint_->exchange();
  while (!halted() && !refused) {
    if (!store_arrivals(worker, store, refused)) return;
    worker.out.reset();
    static_cast<void>(model.arrivals(worker.out, false));
    worker.unstored = worker.out.count > 0;
    if (worker.unstored) continue;
    if (exchange.is_over()) return;
    joint_->exchange().transport().wait();
  }
}

bool SearchRun::settle(const Store& store) {
  if (!joint_) return true;
  std::atomic<bool> refused{false};
  pool().run([&](unsigned i) { send_all(worker(i), store, refused); });
  if (refused) return false;
  if (halted()) return true;
  joint_->exchange().end_sends();
  pool().run([&](unsigned i) { take_all(worker(i), store, refused); });
  return !refused;
}

void SearchRun::call_rest() {
  if (joint_) joint_->exchange().call_end();
}

bool SearchRun::end_round(bool rests, StopReason reason) {
  if (model.out_of_room()) stop(StopReason::memory);  // with states that were dropped
  if (!joint_) {
    if (reason != StopReason::none) {
      checkpoint(reason);
    } else if (rests) {
      checkpoint();
    }
    return rests && !halted();
  }
  // Nobody takes in any more what is on its way to a search that has to end.
  for (const auto& worker : workers_) {
    if (!halted()) break;
    worker->unstored = false;
    worker->out.scratch.reset();
  }
  if (Status status = joint_->exchange().end_round(); !status.ok()) fail(status);
  const bool saves = part_ && (rests || pause_due());
  if (saves && reason == StopReason::none) reason = ending();
  std::array<uint64_t, 4> all{rests, static_cast<uint64_t>(stopped()), saves, static_cast<uint64_t>(reason)};
  joint_->largest(all);
  agree_to_stop(all[1]);
  if (all[2] != 0) {
    uint64_t states = context.progress.states;
    joint_->sum({&states, 1});
    context.checkpoints->note_all(states);
    checkpoint(static_cast<StopReason>(all[3]));
    agree_on_number();
    retire_origin();
  }
  in_level_ = all[0] != 0 && stopped() == StopReason::none;
  return in_level_;
}

// A checkpoint of all ranks has the same number in each; one that a rank could not make has it in some.
void SearchRun::agree_on_number() {
  CheckpointFolder& folder = context.checkpoints->folder();
  uint64_t next = folder.next_number();
  joint_->largest({&next, 1});
  folder.set_next_number(next);
}

bool SearchRun::another_level(bool found) {
  if (!joint_) return goes_on() && found;
  std::array<uint64_t, 3> all{found, static_cast<uint64_t>(stopped()), findings_.all().size()};
  joint_->largest(all);
  if (all[2] > 0) gather_findings();
  agree_to_stop(all[1]);
  in_level_ = goes_on() && all[0] != 0;
  ended_ = !in_level_;
  return in_level_;
}

// A rank that cannot go on, wherever it was, ends in step with the others.
void SearchRun::end_together() {
  if (!joint_) return;
  while (!ended_) {
    if (stopped() == StopReason::none)
      fail(Status::internal(
          "a rank left the search before the others; please report this as a bug of strata"));
    if (in_level_)
      static_cast<void>(end_round(false));
    else
      static_cast<void>(another_level(false));
  }
}

// All have the same reason, and the first rank's trouble.
void SearchRun::agree_to_stop(uint64_t reason) {
  if (reason == 0) return;
  const Status own = trouble();
  std::string text;
  if (!own.ok()) text = {static_cast<char>(own.code()), static_cast<char>(own.reason())};
  text += own.message();
  const std::vector<std::string> all = joint_->all(text);
  const std::lock_guard<std::mutex> lock(mutex_);
  stop_ = static_cast<StopReason>(reason);
  for (uint64_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) continue;
    const std::string message = all[rank].substr(2);
    const std::string name = joint_->exchange().transport().rank_text(static_cast<int>(rank));
    const bool named = message.starts_with("rank ");
    trouble_ = Status(static_cast<StatusCode>(all[rank][0]), named ? message : name + ": " + message,
                      static_cast<Reason>(all[rank][1]));
    return;
  }
}

// ---- errors

// In the states of the model that all ranks know.
void SearchRun::note_whole_failures(SearchWorker& worker, const uint8_t* states, uint64_t level) {
  std::vector<uint8_t> whole(model.whole().info().state_bytes);
  for (const Failure& failure : worker.out.failures) {
    model.make_whole(states + failure.state * info.state_bytes, 1, whole.data());
    worker.findings.add(level, failure, whole.data(), whole.size());
  }
}

void SearchRun::gather_findings() {
  std::string own;
  for (const Finding& finding : findings_.all()) {
    const uint64_t size = finding.state.size();
    append(own, &finding.level, sizeof finding.level);
    append(own, &finding.failure, sizeof finding.failure);
    append(own, &size, sizeof size);
    append(own, finding.state.data(), size);
  }
  for (const std::string& text : joint_->all(own)) {
    for (Reader reader(text); !reader.at_end();) {
      const auto level = reader.value<uint64_t>();
      const auto failure = reader.value<Failure>();
      std::vector<uint8_t> state(reader.value<uint64_t>());
      reader.read(state.data(), state.size());
      findings_.add(level, failure, state.empty() ? nullptr : state.data(), state.size());
    }
  }
}

// ---- the result

void SearchRun::gather_counts(SearchResult& result) {
  result.own_states = result.states;
  // The last level may be there in some ranks only.
  uint64_t levels = result.levels.size();
  joint_->largest({&levels, 1});
  std::vector<uint64_t> counts(levels, 0);
  uint64_t i = 0;
  for (const uint64_t size : result.levels) counts[i++] = size;
  const uint64_t first = counts.size();
  counts.insert(counts.end(), {result.states, result.transitions, result.expansions});
  const uint64_t covers = counts.size();
  Expansion& out = workers_.front()->out;
  for (const auto& worker : workers_)
    for (uint64_t k = 0; k < out.covered.size(); ++k) out.covered[k] |= worker->out.covered[k];
  counts.insert(counts.end(), out.covered.begin(), out.covered.end());
  joint_->sum(counts);
  result.levels = NumberList();
  for (uint64_t k = 0; k < levels; ++k) result.levels.push_back(counts[k]);
  result.states = counts[first];
  result.transitions = counts[first + 1];
  result.expansions = counts[first + 2];
  for (uint64_t k = 0; k < out.covered.size(); ++k) out.covered[k] = counts[covers + k] != 0 ? 1 : 0;
  result.depth = levels == 0 ? 0 : levels - 1;
  std::string own;
  append(own, &result.orbit_states, sizeof result.orbit_states);
  append(own, &result.seconds, sizeof result.seconds);
  result.orbit_states = 0;
  TimeShares sum;
  for (const std::string& text : joint_->all(own)) {
    Reader reader(text);
    result.orbit_states += reader.value<double>();
    sum.add(reader.value<TimeShares>());
  }
  const double ranks = static_cast<double>(joint_->exchange().ranks());
  for (double TimeShares::*share :
       {&TimeShares::canonicalise, &TimeShares::generate, &TimeShares::insert, &TimeShares::detect,
        &TimeShares::io, &TimeShares::queue, &TimeShares::partition})
    result.seconds.*share = sum.*share / ranks;
}

void SearchRun::gather_coverage(Coverage& coverage) const {
  std::vector<uint64_t> counts = {coverage.stuttered};
  for (const Coverage::Rule& rule : coverage.rules) counts.insert(counts.end(), {rule.fired, rule.states});
  counts.insert(counts.end(), coverage.premises.begin(), coverage.premises.end());
  joint_->sum(counts);
  auto next = counts.begin();
  coverage.stuttered = *next++;
  for (Coverage::Rule& rule : coverage.rules) {
    rule.fired = *next++;
    rule.states = *next++;
  }
  for (uint8_t& premise : coverage.premises) premise = *next++ != 0 ? 1 : 0;
}

}  // namespace strata
