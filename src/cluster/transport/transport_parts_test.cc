// The pure parts of a transport: counting, joining, looking at the clock.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "cluster/transport/batch_flow.h"
#include "cluster/transport/buffer_pool.h"
#include "cluster/transport/collective.h"
#include "cluster/transport/life_signs.h"
#include "cluster/transport/peers.h"
#include "cluster/transport/process_watch.h"
#include "cluster/transport/round_count.h"
#include "cluster/transport/window.h"

namespace strata::cluster {
namespace {

TEST(RoundCountTest, OverWhenAllThatWasSentWasLetGoOf) {
  RoundCount count(3);
  EXPECT_EQ(count.round(), 0u);
  count.sent(1);
  count.sent(1);
  count.sent(2);
  count.received();
  EXPECT_FALSE(count.over());
  EXPECT_EQ(count.end_sends(), (std::vector<uint64_t>{0, 2, 1}));
  EXPECT_FALSE(count.over());
  count.expect(2);
  EXPECT_FALSE(count.over());
  count.received();
  EXPECT_TRUE(count.over());
  EXPECT_FALSE(count.wrong());
  count.received();
  EXPECT_TRUE(count.wrong());
  count.next();
  EXPECT_EQ(count.round(), 1u);
  EXPECT_FALSE(count.over());
  EXPECT_EQ(count.end_sends(), (std::vector<uint64_t>{0, 0, 0}));
  count.expect(0);
  EXPECT_TRUE(count.over());
}

// A batch on its way, in a simulated cluster that delivers in any order: no rank finishes before all that was
// sent to it came.
TEST(RoundCountTest, RandomOrders) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const size_t ranks = 1 + random.below(6);
    std::vector<RoundCount> counts(ranks, RoundCount(static_cast<int>(ranks)));
    std::vector<size_t> flying;  // receivers
    for (uint64_t i = random.below(40); i > 0; --i) {
      const size_t from = random.below(ranks), to = random.below(ranks);
      counts[from].sent(static_cast<int>(to));
      flying.push_back(to);
    }
    std::vector<uint64_t> sums(ranks);
    for (RoundCount& count : counts)
      for (size_t to = 0; to < ranks; ++to) sums[to] += count.end_sends()[to];
    for (size_t rank = 0; rank < ranks; ++rank) counts[rank].expect(sums[rank]);
    while (!flying.empty()) {
      const size_t at = random.below(flying.size());
      EXPECT_FALSE(counts[flying[at]].over());
      counts[flying[at]].received();
      flying.erase(flying.begin() + static_cast<long>(at));
    }
    for (const RoundCount& count : counts) EXPECT_TRUE(count.over() && !count.wrong()) << "seed " << seed;
  }
}

TEST(WindowTest, CreditsComeBack) {
  Window window(2, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(window.can_send(1));
    window.sent(1);
  }
  EXPECT_FALSE(window.can_send(1));
  EXPECT_FALSE(window.let_go(1));
  EXPECT_TRUE(window.let_go(1));
  EXPECT_EQ(window.settle(1), 2u);
  EXPECT_EQ(window.settle(1), 0u);
  window.credited(1, 4);
  EXPECT_TRUE(window.can_send(1));
  EXPECT_FALSE(window.wrong(1));
  window.credited(1, 1);
  EXPECT_TRUE(window.wrong(1));
}

TEST(WindowTest, AWindowOfOneIsToldAtOnce) {
  Window window(2, 1);
  EXPECT_TRUE(window.let_go(1));
}

TEST(CollectiveTest, TheTreeReachesAll) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    int edges = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (const int child : children_of(rank, ranks)) {
        EXPECT_EQ(parent_of(child), rank);
        ++edges;
      }
    EXPECT_EQ(edges, ranks - 1);
  }
}

TEST(CollectiveTest, Joining) {
  const std::vector<uint64_t> left{1, 9}, right{5, 2};
  const auto joined = [&](Operation operation) {
    return part_numbers(join(operation, numbers_part(left), numbers_part(right)));
  };
  EXPECT_EQ(joined(Operation::sum), (std::vector<uint64_t>{6, 11}));
  EXPECT_EQ(joined(Operation::least), (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(joined(Operation::largest), (std::vector<uint64_t>{5, 9}));
  EXPECT_EQ(join(Operation::first, "", "b"), "b");
  EXPECT_EQ(join(Operation::first, "a", ""), "a");
  EXPECT_EQ(part_list(join(Operation::collect, list_part(2, "two"), list_part(0, "")), 3),
            (std::vector<std::string>{"", "", "two"}));
  const std::string low = ranked_part(300, "a"), high = ranked_part(2, "b");
  EXPECT_EQ(join(Operation::least_bytes, high, low), low);
  EXPECT_EQ(join(Operation::least_bytes, "", high), high);
  EXPECT_EQ(part_ranked(join(Operation::least_bytes, ranked_part(300, "a"), ranked_part(7, "a"))).first, 7);
}

TEST(CollectiveTest, PartsInAnyOrder) {
  Collective inner(1, 5);  // children 3 and 4
  EXPECT_TRUE(inner.add_child(4, Operation::sum, numbers_part(std::vector<uint64_t>{4})));
  EXPECT_FALSE(inner.add_child(4, Operation::sum, ""));
  EXPECT_FALSE(inner.add_child(2, Operation::sum, ""));
  inner.add_own(Operation::sum, numbers_part(std::vector<uint64_t>{1}));
  EXPECT_FALSE(inner.take_branch());
  EXPECT_TRUE(inner.add_child(3, Operation::sum, numbers_part(std::vector<uint64_t>{3})));
  EXPECT_FALSE(inner.out_of_step());
  EXPECT_EQ(inner.take_branch(), numbers_part(std::vector<uint64_t>{8}));
  EXPECT_FALSE(inner.take_branch());
  EXPECT_FALSE(inner.take_downward());
  inner.add_result("r");
  EXPECT_EQ(inner.take_downward(), "r");
  EXPECT_FALSE(inner.take_downward());
}

TEST(CollectiveTest, OutOfStep) {
  Collective root(0, 2);
  EXPECT_TRUE(root.add_child(1, Operation::first, ""));
  EXPECT_FALSE(root.out_of_step());
  root.add_own(Operation::sum, "");
  EXPECT_TRUE(root.out_of_step());
}

TEST(LifeSignsTest, EveryRankIsWatched) {
  for (int ranks = 1; ranks <= 9; ++ranks)
    for (int rank = 0; rank < ranks; ++rank) {
      const LifeSigns life(rank, ranks, std::chrono::seconds(1));
      EXPECT_EQ(life.watched().size(), static_cast<size_t>(std::min(ranks - 1, 2)));
      for (const int other : life.watched()) {
        const LifeSigns others(other, ranks, std::chrono::seconds(1));
        EXPECT_NE(std::find(others.watchers().begin(), others.watchers().end(), rank),
                  others.watchers().end());
      }
    }
}

TEST(LifeSignsTest, SilenceIsNoticed) {
  LifeSigns life(0, 4, std::chrono::seconds(2));
  LifeSigns::Clock::time_point now{};
  EXPECT_FALSE(life.look(now));
  for (int i = 0; i < 20; ++i) {
    life.heard(2);
    now += std::chrono::milliseconds(100);
    EXPECT_FALSE(life.look(now));
  }
  life.heard(2);
  now += std::chrono::milliseconds(100);
  EXPECT_EQ(life.look(now), 3);
}

// Time in which this process did not run tells nothing of others.
TEST(LifeSignsTest, BeingSuspendedIsNoSilence) {
  LifeSigns life(0, 3, std::chrono::seconds(2));
  LifeSigns::Clock::time_point now{};
  EXPECT_FALSE(life.look(now));
  now += std::chrono::hours(5);
  EXPECT_FALSE(life.look(now));
}

TEST(ProcessWatchTest, AnEndedProcessIsNoticed) {
  ProcessWatch watch;
  watch.watch(0, process_address());  // itself: not watched
  EXPECT_FALSE(watch.ended());
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  std::string address = process_address();
  address = address.substr(0, address.rfind(' ') + 1) + std::to_string(child);
  watch.watch(7, address);
  EXPECT_FALSE(watch.ended());
  kill(child, SIGKILL);
  siginfo_t end{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT), 0);  // leaves a zombie
  EXPECT_EQ(watch.ended(), 7);
  waitpid(child, nullptr, 0);
  ProcessWatch late;
  late.watch(8, address);
  EXPECT_EQ(late.ended(), 8);
}

TEST(ProcessWatchTest, ProcessesOfOtherHostsAreNotWatched) {
  ProcessWatch watch;
  watch.watch(1, "other-boot:4026531836 1");
  watch.watch(2, "");
  watch.watch(3, " 1");
  EXPECT_FALSE(watch.ended());
}

TEST(BufferPoolTest, BuffersComeBack) {
  BufferPool pool;
  pool.keep(5000, 1);
  Buffer one = pool.take(4000), two = pool.take(3000);
  EXPECT_EQ(one.size(), 4000u);
  const uint8_t* data = one.data();
  pool.give(std::move(one));
  pool.give(std::move(two));  // one too many
  const Buffer again = pool.take(5000);
  EXPECT_EQ(again.data(), data);
  EXPECT_NE(pool.take(5000).data(), data);
  EXPECT_EQ(pool.take(9000).size(), 9000u);
}

TEST(PeersTest, AProbeNamesTheRanksThatDoNotAnswer) {
  const Peers::Clock::time_point now{};
  Peers peers(1, 4);
  EXPECT_FALSE(peers.end_probe(now));
  const uint64_t first = peers.begin_probe(now + std::chrono::seconds(1));
  EXPECT_TRUE(peers.probing());
  peers.note_answer(0, first);
  peers.note_answer(2, first);
  peers.note_answer(3, first + 1);  // of another probe
  EXPECT_FALSE(peers.end_probe(now));
  EXPECT_EQ(std::vector<int>{3}, peers.end_probe(now + std::chrono::seconds(1)));
  EXPECT_FALSE(peers.probing());
  EXPECT_FALSE(peers.end_probe(now + std::chrono::seconds(2)));
  // All answer: the probe ends before its time.
  const uint64_t second = peers.begin_probe(now + std::chrono::seconds(5));
  for (const int rank : {0, 2, 3}) peers.note_answer(rank, second);
  EXPECT_EQ(std::vector<int>(), peers.end_probe(now));
}

TEST(PeersTest, ARankIsLostOnceAndNotAfterItLeft) {
  Peers peers(2, 3);
  EXPECT_FALSE(peers.any_lost());
  EXPECT_EQ(0, peers.first_living());
  peers.leave(1);
  EXPECT_FALSE(peers.lose(1));
  EXPECT_TRUE(peers.lose(0));
  EXPECT_FALSE(peers.lose(0));
  EXPECT_EQ(0, peers.first_lost());
  EXPECT_EQ(1, peers.first_living());
  EXPECT_FALSE(peers.all_left_or_lost());
  peers.note_lost(2);
  EXPECT_TRUE(peers.all_left_or_lost());
}

TEST(BatchFlowTest, KeepsBatchesOfTheNextRoundForIt) {
  BatchFlow flow(2);
  EXPECT_FALSE(flow.can_send(1));
  flow.open(2);
  EXPECT_TRUE(flow.can_send(1));
  const auto add = [&](uint32_t round) {
    return flow.add(1, {.kind = static_cast<uint8_t>(round), .round = round}, {});
  };
  EXPECT_TRUE(add(1));
  EXPECT_FALSE(flow.has_arrived());
  EXPECT_TRUE(add(0));
  EXPECT_FALSE(add(2));
  EXPECT_EQ(0, flow.take()->kind);
  EXPECT_FALSE(flow.take());
  EXPECT_TRUE(flow.let_go(1));  // half of the window
  EXPECT_EQ(std::vector<int>{1}, flow.take_due());
  EXPECT_EQ(1u, flow.settle(1));
  flow.end_sends();
  EXPECT_FALSE(flow.is_over());
  flow.expect(1);
  EXPECT_TRUE(flow.is_over());
  flow.next_round();
  EXPECT_EQ(1, flow.take()->kind);
  EXPECT_FALSE(add(0));  // of a round that is over
}

TEST(BatchFlowTest, CreditsBeyondTheWindowAreRefused) {
  BatchFlow flow(2);
  flow.open(1);
  flow.note_sent(1);
  EXPECT_FALSE(flow.can_send(1));
  EXPECT_TRUE(flow.credit(1, 1));
  EXPECT_TRUE(flow.can_send(1));
  EXPECT_FALSE(flow.credit(1, 1));
}

}  // namespace
}  // namespace strata::cluster
