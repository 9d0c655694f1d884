#include "engine/run/rounds.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/contract/old_ranks.h"

namespace strata {

// ---- states on their way

bool Rounds::receive_some(SearchWorker& worker) {
  worker.out.reset();
  const bool all_sent = shared_->arrivals(worker.out, false);
  if (worker.out.count == 0 && !all_sent) ranks_.wait();
  return worker.out.count > 0 || !all_sent;
}

// False: the store had no room.
bool Rounds::store_arrivals(SearchWorker& worker, const Store& store, std::atomic<bool>& refused) {
  if (!worker.unstored || store(worker)) return true;
  refused = true;
  return false;
}

void Rounds::send_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused) {
  while (!halted() && !refused) {
    if (!store_arrivals(worker, store, refused)) return;
    worker.out.reset();
    const bool all_sent = shared_->arrivals(worker.out, true);
    worker.unstored = worker.out.count > 0;
    if (!worker.unstored && all_sent && ranks_.all_called()) return;
    if (!worker.unstored) ranks_.wait();
  }
}

void Rounds::take_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused) {
  while (!halted() && !refused) {
    if (!store_arrivals(worker, store, refused)) return;
    worker.out.reset();
    static_cast<void>(shared_->arrivals(worker.out, false));
    worker.unstored = worker.out.count > 0;
    if (worker.unstored) continue;
    if (ranks_.round_over()) return;
    ranks_.wait();
  }
}

bool Rounds::drain(const Store& store) {
  if (shared_ == nullptr) return true;
  std::atomic<bool> refused{false};
  WorkerPool& pool = *threads_.pool;
  pool.run([&](unsigned i) { send_all(*threads_.workers[i], store, refused); });
  if (refused) return false;
  if (halted()) return true;
  ranks_.end_sends();
  pool.run([&](unsigned i) { take_all(*threads_.workers[i], store, refused); });
  return !refused;
}

void Rounds::hand_out(const uint8_t* states, uint64_t n, const Store& store) {
  SearchWorker& own = *threads_.workers.front();
  const uint64_t bytes = whole_model(context_.model).info().state_bytes, most = own.out.capacity();
  std::atomic<bool> refused{false};
  for (uint64_t done = 0; done < n && !halted() && !refused; done += most) {
    own.out.reset();
    shared_->hand_out(states + done * bytes, std::min(n - done, most), own.out);
    own.unstored = own.out.count > 0;
    bool all_sent = false;
    // What has arrived is taken in before more is sent, so that no rank waits for this one.
    while (!halted() && store_arrivals(own, store, refused)) {
      if (all_sent) break;
      own.out.reset();
      all_sent = shared_->arrivals(own.out, false);
      own.unstored = own.out.count > 0;
      if (!all_sent && !own.unstored) ranks_.wait();
    }
  }
}

// ---- the end of rounds and levels

bool Rounds::end_round(bool rests, StopReason reason) {
  limits_.note_full_model();
  drop_arrivals();
  if (Status status = ranks_.end_round(); !status.ok()) limits_.fail(status);
  // A rank that has expanded its part of the level asks for a checkpoint as well, so that the others rest.
  const bool saves = saving_.offered() && (rests || (shared_ != nullptr && saving_.pause_due()));
  if (saves && reason == StopReason::none) reason = limits_.requested();
  std::array<uint64_t, 4> all{rests, static_cast<uint64_t>(limits_.stopped()), saves,
                              static_cast<uint64_t>(reason)};
  ranks_.largest(all);
  agree_to_stop(all[1]);
  if (all[2] != 0) save(static_cast<StopReason>(all[3]));
  const bool continues = all[0] != 0 && limits_.stopped() == StopReason::none;
  place_ = continues ? Place::in_level : Place::between_levels;
  return continues;
}

// A search that has to end takes in nothing more.
void Rounds::drop_arrivals() {
  if (shared_ == nullptr || !halted()) return;
  for (const auto& worker : threads_.workers) {
    worker->unstored = false;
    worker->out.scratch.reset();
  }
}

void Rounds::save(StopReason reason) {
  uint64_t states = context_.progress.states;
  ranks_.sum({&states, 1});
  context_.checkpoints->note_all(states);
  saving_.checkpoint(reason);
  agree_on_number();
  retire_old_ranks();
}

// A checkpoint of all ranks has the same number in each; one that a rank could not make has it in the others.
void Rounds::agree_on_number() {
  CheckpointFolder& folder = context_.checkpoints->folder();
  uint64_t next = folder.next_number();
  ranks_.largest({&next, 1});
  folder.set_next_number(next);
}

// The checkpoints of another number of ranks are removed when all ranks have one of their own with the same number. One
// that a rank could not make does not count.
void Rounds::retire_old_ranks() {
  OldRanks* const old_ranks = context_.old_ranks;
  if (old_ranks == nullptr || old_ranks->retired()) return;
  const uint64_t own = context_.checkpoints->folder().number(), least = ranks_.least(own);
  uint64_t largest = own;
  ranks_.largest({&largest, 1});
  if (least > 0 && least == largest && ranks_.heard() != SearchRanks::Heard::lost) old_ranks->retire();
}

bool Rounds::another_level(bool found) {
  std::array<uint64_t, 3> all{found, static_cast<uint64_t>(limits_.stopped()),
                              result_.findings().all().size()};
  ranks_.largest(all);
  if (all[2] > 0 && shared_ != nullptr) result_.gather_ranks();
  agree_to_stop(all[1]);
  const bool continues = !result_.complete() && limits_.stopped() == StopReason::none && all[0] != 0;
  place_ = continues ? Place::in_level : Place::ended;
  return continues;
}

void Rounds::end_together() {
  if (shared_ == nullptr) return;
  while (place_ != Place::ended) {
    if (limits_.stopped() == StopReason::none)
      limits_.fail(Status::internal(
          "a rank left the search before the others; please report this as a bug of strata"));
    if (place_ == Place::in_level)
      static_cast<void>(end_round(false));
    else
      static_cast<void>(another_level(false));
  }
}

// All ranks have the same reason, and the trouble of the first rank that has any.
void Rounds::agree_to_stop(uint64_t reason) {
  if (reason == 0 || shared_ == nullptr) return;
  const Status own = limits_.trouble();
  std::string text;
  if (!own.ok()) text = {static_cast<char>(own.code()), static_cast<char>(own.reason())};
  text += own.message();
  const std::vector<std::string> all = ranks_.all(text);
  const auto first = std::find_if(all.begin(), all.end(), [](const auto& one) { return !one.empty(); });
  Status trouble;
  if (first != all.end())
    trouble = Status(static_cast<StatusCode>(first->front()),
                     ranks_.named(static_cast<uint64_t>(first - all.begin()), first->substr(2)),
                     static_cast<Reason>((*first)[1]));
  limits_.adopt(static_cast<StopReason>(reason), trouble);
}

}  // namespace strata
