// The part of PartitionFixpoint (partition_fixpoint.h) that works on the partition in RAM: states are
// expanded, messages applied or sent.
#pragma once

#include <utility>

#include "liveness/fixpoint/partition_fixpoint.h"

namespace strata {

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::start(const Message& message) {
  run_.initial([&](const Expansion& some) {
    for (uint64_t i = 0; i < some.count; ++i) {
      const uint8_t* state = some.successor(i);
      workers_[0]->cache->put(state, hash_bytes(state, state_bytes()), message,
                              [&](const uint8_t* record) { leave(0, record); });
    }
  });
  run_.end_level();
  failed_ = run_.complete();
  workers_[0]->cache->flush([&](const uint8_t* record) { leave(0, record); });
  send_leaving(0);
}

// Applies the messages that wait for the active partition.
template <FixpointRules Rules>
void PartitionFixpoint<Rules>::drain() {
  StateLog& queue = *partitions_[active_].queue;
  if (queue.size() == 0 || run_.halted()) return;
  const uint64_t bytes = message_bytes();
  run_.read({{&queue, 0, queue.size()}}, [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
    const auto begin = Clock::now();
    const unsigned number = worker.base.number;
    Worker& own = *workers_[number];
    for (uint64_t done = 0; done < span.count; done += batch_) {
      const uint8_t* records = span.records + done * bytes;
      const uint64_t n = std::min(batch_, span.count - done);
      own.successor_hashes.resize(n);
      for (uint64_t i = 0; i < n; ++i)
        own.successor_hashes[i] = hash_bytes(records + i * bytes, state_bytes());
      apply(number, records, bytes, own.successor_hashes.data(), nullptr, n, [&](uint64_t i) {
        Message message;
        std::memcpy(&message, records + i * bytes + state_bytes(), sizeof message);
        return message;
      });
    }
    worker.base.seconds.queue += seconds_between(begin, Clock::now());
    return {};
  });
  check(queue.clear());
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::propagate() {
  if (ring_->size() == 0 || ended()) return;
  const bool shared = ring_->size() >= kEnoughForAll && run_.threads() > 1;
  ring_->open(shared ? run_.threads() : 1);
  table_->share(shared);
  if (!shared) {
    work(0, run_.threads() > 1);
    return table_->share(run_.threads() > 1);
  }
  run_.pool().run([&](unsigned i) {
    try {
      work(i, false);
    } catch (...) {
      ring_->close();  // or the others would wait for this one's states
      throw;
    }
  });
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::work(unsigned i, bool alone) {
  const std::function<bool()> halted = [&] { return ended(); };
  Worker& own = *workers_[i];
  while (const uint64_t n = ring_->take(own.places.data(), chunk_, halted)) {
    work_on(i, n);
    if (ended() || full_ || run_.saving().pause_wanted()) ring_->close();
    // There is enough for all threads by now.
    if (alone && ring_->size() >= 2 * kEnoughForAll) ring_->close();
  }
  if (run_.halted()) return;
  const auto begin = Clock::now();
  own.cache->flush([&](const uint8_t* record) { leave(i, record); });
  send_leaving(i);
  run_.worker(i).seconds.queue += seconds_between(begin, Clock::now());
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::work_on(unsigned i, uint64_t n) {
  Worker& own = *workers_[i];
  uint64_t first = 0;
  const uint64_t expanding = prepare_messages(i, n, first);
  const uint64_t bytes = state_bytes();
  expand(i, own.ordered.data(), own.ordered_messages.data(), first, true);
  expand(i, own.ordered.data() + first * bytes, own.ordered_messages.data() + first, expanding - first,
         false);
}

// The messages and states that are to be expanded, those expanded for the first time before the others; returns how
// many.
template <FixpointRules Rules>
uint64_t PartitionFixpoint<Rules>::prepare_messages(unsigned i, uint64_t n, uint64_t& first) {
  Worker& own = *workers_[i];
  const uint64_t bytes = state_bytes();
  own.states.resize(n * bytes);
  own.ordered.resize(n * bytes);
  own.hashes.resize(n);
  own.accepting.resize(n);
  own.steps.resize(n);
  own.messages.resize(n);
  own.ordered_messages.resize(n);
  for (uint64_t k = 0; k < n; ++k) {
    copy_bytes(own.states.data() + k * bytes, table_->record(own.places[k]), bytes);
    own.hashes[k] = hash_bytes(own.states.data() + k * bytes, bytes);
  }
  run_.model.accepting(own.states.data(), n, own.accepting.data());
  for (uint64_t k = 0; k < n; ++k) {
    table_->with(own.places[k], own.hashes[k], [&](uint8_t* place) {
      Payload payload;
      std::memcpy(&payload, place, sizeof payload);
      payload.pending = false;
      own.steps[k] = rules_.send(payload, own.accepting[k] != 0, own.messages[k], own.counts);
      std::memcpy(place, &payload, sizeof payload);
    });
  }
  uint64_t count = 0;
  for (const Step wanted : {Step::first, Step::again}) {
    for (uint64_t k = 0; k < n; ++k) {
      if (own.steps[k] != wanted) continue;
      copy_bytes(own.ordered.data() + count * bytes, own.states.data() + k * bytes, bytes);
      own.ordered_messages[count++] = own.messages[k];
    }
    if (wanted == Step::first) first = count;
  }
  return count;
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::expand(unsigned i, const uint8_t* states, const Message* messages, uint64_t n,
                                      bool first) {
  SearchWorker& worker = run_.worker(i);
  while (n > 0 && !run_.halted()) {
    // Transitions count when a state is expanded for the first time, and only then the state was in the queue.
    run_.expand(worker, states, n, 0, !first);
    if (!first) run_.context.progress.queue.fetch_add(worker.out.consumed, std::memory_order_relaxed);
    if (!worker.out.failures.empty()) failed_ = true;
    if (!run_.charge(worker, worker.out.count))
      return run_.fail(run_.no_room_for_successors(worker.out.count));
    deliver(i, states, messages);
    states += worker.out.consumed * state_bytes();
    messages += worker.out.consumed;
    n -= worker.out.consumed;
  }
}

// The messages of expanded states to their successors.
template <FixpointRules Rules>
void PartitionFixpoint<Rules>::deliver(unsigned i, const uint8_t* parents, const Message* messages) {
  Worker& own = *workers_[i];
  DiskWorker& worker = run_.disk_worker(i);
  const Expansion& out = worker.base.out;
  const uint64_t n = out.count, bytes = state_bytes();
  if (n == 0) return;
  const auto begin = Clock::now();
  const uint8_t* states = out.states.data();
  own.successor_hashes.resize(n);
  for (uint64_t k = 0; k < n; ++k) own.successor_hashes[k] = hash_bytes(states + k * bytes, bytes);
  const uint64_t* hashes = own.successor_hashes.data();
  if (rules_.inserts()) partitions_.sample(worker, {parents, states, {states, hashes, n, bytes}, 0});
  if (partitions_.count() == 1) {
    apply(i, states, bytes, hashes, nullptr, n, [&](uint64_t k) { return messages[out.parents[k]]; });
    worker.base.seconds.insert += seconds_between(begin, Clock::now());
    return;
  }
  own.mine.resize(n);
  uint64_t mine = 0;
  const PartitionTree& tree = partitions_.tree();
  const LeafTest& test = tree.test(active_);
  for (uint64_t k = 0; k < n; ++k) {
    const uint8_t* state = states + k * bytes;
    if (tree.one_root() ? test.passes(state, hashes[k]) : tree.find(state, hashes[k]) == active_) {
      own.mine[mine++] = static_cast<uint32_t>(k);
    } else {
      own.cache->put(state, hashes[k], messages[out.parents[k]],
                     [&](const uint8_t* record) { leave(i, record); });
    }
  }
  const auto divided = Clock::now();
  worker.base.seconds.partition += seconds_between(begin, divided);
  apply(i, states, bytes, hashes, own.mine.data(), mine,
        [&](uint64_t k) { return messages[out.parents[own.mine[k]]]; });
  worker.base.seconds.insert += seconds_between(divided, Clock::now());
}

// Applies messages to states of the active partition. message_of(i): that of states[which[i]].
template <FixpointRules Rules>
template <class MessageOf>
void PartitionFixpoint<Rules>::apply(unsigned i, const uint8_t* states, uint64_t stride,
                                     const uint64_t* hashes, const uint32_t* which, uint64_t n,
                                     const MessageOf& message_of) {
  Worker& own = *workers_[i];
  own.refused.resize(n);
  own.woken.resize(n);
  uint64_t woken = 0, found = 0;
  const uint64_t full = table_->update(
      states, stride, hashes, which, n, rules_.inserts(), own.refused.data(),
      [&](uint64_t k, uint64_t place, uint8_t* at, bool fresh) {
        Payload payload;
        std::memcpy(&payload, at, sizeof payload);
        found += fresh;
        if (rules_.apply(payload, at - state_bytes(), message_of(k), fresh) && !payload.pending) {
          payload.pending = true;
          own.woken[woken++] = static_cast<uint32_t>(place);
        }
        std::memcpy(at, &payload, sizeof payload);
      });
  own.fresh += found;
  run_.note_found(found);
  ring_->add(own.woken.data(), woken);
  if (full == 0) return;
  full_ = true;
  UntouchedVector<uint8_t> record(message_bytes());
  for (uint64_t k = 0; k < full; ++k) {
    const uint64_t at = own.refused[k];
    const Message message = message_of(at);
    copy_bytes(record.data(), states + (which != nullptr ? which[at] : at) * stride, state_bytes());
    std::memcpy(record.data() + state_bytes(), &message, sizeof message);
    check(overflow_->append(record.data(), 1));
  }
}

// A message goes to its queue, together with others.
template <FixpointRules Rules>
void PartitionFixpoint<Rules>::leave(unsigned i, const uint8_t* record) {
  Worker& own = *workers_[i];
  copy_bytes(own.leaving.data() + own.leaving_count * message_bytes(), record, message_bytes());
  if (++own.leaving_count == batch_) send_leaving(i);
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::send_leaving(unsigned i) {
  Worker& own = *workers_[i];
  DiskWorker& worker = run_.disk_worker(i);
  const uint64_t n = std::exchange(own.leaving_count, 0), bytes = message_bytes();
  worker.partitions.resize(n);
  for (uint64_t k = 0; k < n; ++k) {
    const uint8_t* state = own.leaving.data() + k * bytes;
    worker.partitions[k] = partitions_.tree().find(state, hash_bytes(state, state_bytes()));
  }
  messages_.fetch_add(n, std::memory_order_relaxed);
  check(
      partitions_.append(worker, worker.partitions.data(), own.leaving.data(), n, bytes, &Partition::queue));
}

}  // namespace strata
