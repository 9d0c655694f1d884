#include "cluster/testing/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "base/hash.h"
#include "base/random.h"

namespace strata::cluster {
namespace {

// A batch: round, from, to, hash of the rest; then random bytes.
struct TestHead {
  uint64_t round = 0, from = 0, to = 0, hash = 0;
};

// The sizes of batches: small ones, and the largest.
uint64_t random_size(Random& random) {
  const uint64_t most = kContractShape.bytes - sizeof(TestHead);
  return std::min(most, random.below(uint64_t{2} << random.below(17)));
}

std::vector<uint8_t> random_batch(Random& random, const TestHead& wanted) {
  std::vector<uint8_t> bytes(sizeof(TestHead) + random_size(random));
  for (size_t i = sizeof(TestHead); i < bytes.size(); i += 1 + i / 100)
    bytes[i] = static_cast<uint8_t>(random.next());
  TestHead head = wanted;
  head.hash = hash_bytes(bytes.data() + sizeof head, bytes.size() - sizeof head);
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

// The rounds of a transport, and what this rank sent and received in them.
struct Round {
  Transport& transport;
  const RandomRound& wanted;
  uint64_t number = 0;
  Problems& problems;
  std::atomic<uint64_t> sent{0}, sent_hash{0}, received{0}, received_hash{0};
  std::atomic<unsigned> sending{0};

  void take(const Batch& batch) {
    TestHead head;
    problems.expect(batch.bytes().size() >= sizeof head, "a batch is too short");
    if (batch.bytes().size() < sizeof head) return;
    std::memcpy(&head, batch.bytes().data(), sizeof head);
    const std::span<const uint8_t> rest = batch.bytes().subspan(sizeof head);
    problems.expect(head.round == number,
                    fmt::format("a batch of round {} came in round {}", head.round, number));
    problems.expect(head.from == static_cast<uint64_t>(batch.from()), "a batch names another sender");
    problems.expect(head.to == static_cast<uint64_t>(transport.rank()), "a batch is for another rank");
    problems.expect(batch.kind() == static_cast<uint8_t>(head.hash), "a batch has another kind");
    problems.expect(hash_bytes(rest.data(), rest.size()) == head.hash, "a batch was damaged");
    if (wanted.slow_microseconds > 0)
      std::this_thread::sleep_for(std::chrono::microseconds(wanted.slow_microseconds));
    ++received;
    received_hash += head.hash;
  }

  void take_in(std::optional<int> to) {
    Batch batch;
    if (transport.try_receive(batch))
      take(batch);
    else
      transport.wait(to);
  }

  void send(int to, const std::vector<uint8_t>& bytes) {
    TestHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    while (!transport.try_send(to, static_cast<uint8_t>(head.hash), bytes)) {
      if (transport.failed()) return;
      take_in(to);
    }
    ++sent;
    sent_hash += head.hash;
  }

  void work(uint64_t seed) {
    Random random(seed);
    const int ranks = transport.ranks(), own = transport.rank();
    for (uint64_t left = ranks > 1 ? random.below(wanted.most + 1) : 0; left > 0; --left) {
      const int to =
          wanted.only_to >= 0 ? wanted.only_to : static_cast<int>(random.below(static_cast<uint64_t>(ranks)));
      if (to == own) continue;
      send(to, random_batch(random, {number, static_cast<uint64_t>(own), static_cast<uint64_t>(to)}));
      if (random.chance(10)) take_in({});
    }
    if (--sending == 0) transport.end_sends();
    while (!transport.round_over() && !transport.failed()) take_in({});
  }
};

uint64_t number_of(uint64_t seed, int rank, unsigned thread) {
  return seed * 1'000'003 + static_cast<uint64_t>(rank) * 1009 + thread;
}

void names(Transport& transport, uint64_t, Problems& problems) {
  problems.expect(transport.rank() >= 0 && transport.rank() < transport.ranks(), "the rank is out of range");
  for (int rank = 0; rank < transport.ranks(); ++rank)
    problems.expect(!transport.host(rank).empty(), "no host");
  problems.expect(transport.reporting_rank() == 0, "rank 0 does not report");
  problems.expect(!transport.failed() && transport.status().ok(), "it begins as failed");
}

void reductions(Transport& transport, uint64_t seed, Problems& problems) {
  const uint64_t own = static_cast<uint64_t>(transport.rank()),
                 ranks = static_cast<uint64_t>(transport.ranks());
  for (uint64_t i = 0; i < 20; ++i) {
    std::vector<uint64_t> sum{own + seed, i, 1}, least{own + i, ~own}, largest{own * i, ~own};
    problems.expect(transport.all_reduce(sum, Reduce::sum), "sum");
    problems.expect(transport.all_reduce(least, Reduce::least), "least");
    problems.expect(transport.all_reduce(largest, Reduce::largest), "largest");
    problems.expect(sum == std::vector<uint64_t>{ranks * (ranks - 1) / 2 + ranks * seed, i * ranks, ranks},
                    "wrong sum");
    problems.expect(least == std::vector<uint64_t>{i, ~(ranks - 1)}, "wrong least");
    problems.expect(largest == std::vector<uint64_t>{(ranks - 1) * i, ~uint64_t{0}}, "wrong largest");
    problems.expect(transport.barrier(), "barrier");
  }
  problems.expect(transport.all_reduce({}, Reduce::sum), "sum of nothing");
}

std::string text_of(int rank, uint64_t seed) {
  Random random(seed * 77 + static_cast<uint64_t>(rank));
  std::string text(random.chance(20) ? 0 : random.below(random.chance(10) ? 100'000 : 200), '\0');
  for (char& c : text) c = static_cast<char>(random.next());
  return text;
}

void broadcasts(Transport& transport, uint64_t seed, Problems& problems) {
  for (int from = 0; from < transport.ranks(); ++from) {
    std::string bytes = text_of(from == transport.rank() ? from : -1, seed);
    problems.expect(transport.broadcast(from, bytes), "broadcast");
    problems.expect(bytes == text_of(from, seed), "a broadcast brought something else");
  }
}

void gathers(Transport& transport, uint64_t seed, Problems& problems) {
  std::vector<std::string> expected;
  for (int rank = 0; rank < transport.ranks(); ++rank) expected.push_back(text_of(rank, seed));
  const std::string& own = expected[static_cast<size_t>(transport.rank())];
  const Result<std::vector<std::string>> to_root = transport.gather(own), to_all = transport.all_gather(own);
  problems.expect(to_root.status(), "gather");
  problems.expect(to_all.status(), "all_gather");
  if (!to_root.ok() || !to_all.ok()) return;
  problems.expect(*to_root == (transport.rank() == 0 ? expected : std::vector<std::string>()),
                  "wrong gather");
  problems.expect(*to_all == expected, "wrong all_gather");
}

void least_of(Transport& transport, uint64_t seed, Problems& problems) {
  for (uint64_t i = 0; i < 20; ++i) {
    std::optional<Transport::Least> expected;
    std::optional<std::string> own;
    for (int rank = 0; rank < transport.ranks(); ++rank) {
      Random random(seed * 31 + i * 7 + static_cast<uint64_t>(rank));
      if (i == 0 || random.chance(30)) continue;
      // Few different texts, with prefixes of each other and with bytes beyond 127.
      const std::string text = std::string(random.below(3), 'a') + std::string(random.below(2), '\xff');
      if (rank == transport.rank()) own = text;
      if (!expected || text < expected->bytes) expected = {text, rank};
    }
    const Result<std::optional<Transport::Least>> least = transport.least(own);
    problems.expect(least.status(), "least");
    if (!least.ok()) return;
    problems.expect(least->has_value() == expected.has_value(), "a least of nothing, or none");
    if (*least && expected)
      problems.expect((*least)->bytes == expected->bytes && (*least)->rank == expected->rank,
                      "wrong least bytes");
  }
}

void rounds(Transport& transport, uint64_t seed, Problems& problems) {
  for (uint64_t i = 0; i < 12; ++i) {
    RandomRound round;
    round.threads = 1 + static_cast<unsigned>(i % 3);
    round.most = i % 4 == 3 ? 0 : 40;
    random_round(transport, round, seed * 100 + i, problems);
  }
}

// All ranks send to one, which is slower: it must not be flooded, and every batch must arrive.
void floods(Transport& transport, uint64_t seed, Problems& problems) {
  for (int to = 0; to < transport.ranks(); to += 3) {
    RandomRound round;
    round.threads = 2;
    round.most = 30;
    round.only_to = to;
    round.slow_microseconds = 50;
    random_round(transport, round, seed * 200 + static_cast<uint64_t>(to), problems);
  }
}

void answers(Transport& transport, uint64_t, Problems& problems) {
  problems.expect(transport.probe(std::chrono::seconds(20)), "probe");
  problems.expect(transport.barrier(), "barrier");
}

void posts(Transport& transport, uint64_t seed, Problems& problems) {
  const std::vector<uint64_t> own{seed, static_cast<uint64_t>(transport.rank())};
  transport.post(own);
  const auto heard_of_all = [&] {
    for (int rank = 0; rank < transport.ranks(); ++rank)
      if (transport.posted(rank) != std::vector<uint64_t>{seed, static_cast<uint64_t>(rank)}) return false;
    return true;
  };
  for (int tries = 0; transport.rank() == 0 && !heard_of_all() && tries < 10'000; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  problems.expect(transport.rank() != 0 || heard_of_all(), "what ranks posted did not arrive");
  problems.expect(transport.barrier(), "barrier");
}

void traffic_adds_up(Transport& transport, uint64_t, Problems& problems) {
  const Traffic traffic = transport.traffic();
  std::vector<uint64_t> sums{traffic.batches_sent, traffic.batches_received, traffic.bytes_sent,
                             traffic.bytes_received};
  problems.expect(transport.all_reduce(sums, Reduce::sum), "sum of traffic");
  problems.expect(sums[0] == sums[1] && sums[2] == sums[3], "what was sent was not received");
  problems.expect(transport.ranks() == 1 || sums[0] > 0, "nothing was sent");
}

// The last part, because a stop cannot be taken back.
void stops(Transport& transport, uint64_t seed, Problems& problems) {
  const int asker = static_cast<int>(seed % static_cast<uint64_t>(transport.ranks()));
  problems.expect(!transport.stop_asked() && transport.stop_reason().ok(), "asked to stop by nobody");
  problems.expect(transport.barrier(), "barrier");
  if (transport.rank() == asker) transport.stop(Status::disk_full("the disk is full"));
  for (int tries = 0; !transport.stop_asked() && tries < 10'000; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const Status reason = transport.stop_reason();
  problems.expect(transport.stop_asked() && transport.stop_rank() == asker, "not asked to stop");
  problems.expect(reason.code() == StatusCode::disk_full, "asked to stop for another reason");
  const std::string text =
      transport.ranks() == 1 ? "the disk is full" : transport.rank_text(asker) + ": the disk is full";
  problems.expect(reason.message() == text, "the reason is \"" + reason.message() + "\"");
  // Everything else still works.
  random_round(transport, {}, seed, problems);
}

}  // namespace

void Problems::add(std::string text) {
  const MutexLock lock(mutex_);
  if (list_.size() < 20) list_.push_back(std::move(text));
}

std::vector<std::string> Problems::list() const {
  const MutexLock lock(mutex_);
  return list_;
}

void random_round(Transport& transport, const RandomRound& wanted, uint64_t seed, Problems& problems) {
  Round round{transport, wanted, seed, problems};
  round.sending = wanted.threads;
  std::vector<std::thread> threads;
  for (unsigned thread = 1; thread < wanted.threads; ++thread)
    threads.emplace_back([&, thread] { round.work(number_of(seed, transport.rank(), thread)); });
  round.work(number_of(seed, transport.rank(), 0));
  for (std::thread& thread : threads) thread.join();
  if (transport.failed()) return;
  problems.expect(transport.next_round(), "next_round");
  std::vector<uint64_t> sums{round.sent, round.received, round.sent_hash, round.received_hash};
  problems.expect(transport.all_reduce(sums, Reduce::sum), "sum of a round");
  if (transport.failed()) return;
  problems.expect(sums[0] == sums[1], fmt::format("{} batches were sent and {} received", sums[0], sums[1]));
  problems.expect(sums[2] == sums[3], "other batches arrived than were sent");
}

const std::vector<ContractPart>& contract() {
  static const std::vector<ContractPart> parts = {
      {"names", names},       {"reductions", reductions},   {"broadcasts", broadcasts}, {"gathers", gathers},
      {"least_of", least_of}, {"rounds", rounds},           {"floods", floods},         {"answers", answers},
      {"posts", posts},       {"traffic", traffic_adds_up}, {"stops", stops},
  };
  return parts;
}

void run_contract(Transport& transport, uint64_t seed, Problems& problems) {
  problems.expect(transport.open_batches(kContractShape), "open_batches");
  for (const ContractPart& part : contract()) {
    if (transport.failed()) break;
    part.run(transport, seed, problems);
  }
  problems.expect(transport.status(), "the transport failed");
}

}  // namespace strata::cluster
