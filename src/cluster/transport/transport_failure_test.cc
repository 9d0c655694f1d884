// Ranks that die, are cut off, give up or leave, at random moments: all others end, with a message that names the rank.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <set>
#include <thread>

#include "base/random.h"
#include "cluster/testing/contract.h"
#include "cluster/testing/in_process.h"

namespace strata::cluster {
namespace {

using std::chrono::microseconds, std::chrono::milliseconds, std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr TransportOptions kImpatient{.patience = milliseconds(400)};

// How many rounds all ranks together have made, for a thread that waits for a number of them.
class RoundsMade {
 public:
  void add() {
    ++made_;
    made_.notify_all();
  }
  void wait_for(uint64_t wanted) const {
    for (uint64_t made = made_; made < wanted; made = made_) made_.wait(made);
  }

 private:
  std::atomic<uint64_t> made_{0};
};

// Rounds until something ends them.
void search_until_failure(Transport& transport, Problems& problems, RoundsMade& made) {
  problems.expect(transport.open_batches(kContractShape), "open_batches");
  for (uint64_t i = 0; !transport.failed(); ++i, made.add())
    random_round(transport, {.threads = 2, .most = 30, .only_to = -1, .slow_microseconds = 0}, i, problems);
}

std::string names_rank(const Transport& transport, int rank) { return transport.rank_text(rank); }

TEST(FailureTest, DeadRanksAreNamed) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const int ranks = 2 + static_cast<int>(random.below(6)),
              dead = static_cast<int>(random.below(static_cast<uint64_t>(ranks)));
    InProcessNetwork network(ranks, {.seed = seed, .delay = microseconds(random.below(400))});
    std::atomic<int> ended{0};
    RoundsMade made;
    const uint64_t rounds = 1 + random.below(40);
    std::jthread killer([&] {
      made.wait_for(rounds);
      network.kill(dead);
    });
    const Clock::time_point start = Clock::now();
    run_ranks(
        network,
        [&](Transport& transport) {
          Problems ignored;
          search_until_failure(transport, ignored, made);
          if (transport.rank() != dead) {
            EXPECT_NE(transport.status().message().find(names_rank(transport, dead) + " was not heard of"),
                      std::string::npos)
                << transport.status().message();
            EXPECT_EQ(transport.status().code(), StatusCode::system);
            EXPECT_EQ(transport.reporting_rank(), dead == 0 ? 1 : 0);
            EXPECT_FALSE(transport.barrier().ok());
            EXPECT_FALSE(transport.try_send(dead, 0, std::vector<uint8_t>(8)));
            EXPECT_FALSE(transport.finish().ok());
          }
          ++ended;
        },
        kImpatient);
    EXPECT_EQ(ended, ranks) << "seed " << seed;
    EXPECT_LT(Clock::now() - start, seconds(5));
  }
}

TEST(FailureTest, CutRanksEnd) {
  InProcessNetwork network(2);
  std::atomic<int> ended{0};
  run_ranks(
      network,
      [&](Transport& transport) {
        if (transport.rank() == 0) network.cut(0, 1);
        Problems ignored;
        RoundsMade made;
        search_until_failure(transport, ignored, made);
        EXPECT_NE(transport.status().message().find("was not heard of"), std::string::npos);
        EXPECT_FALSE(transport.finish().ok());
        ++ended;
      },
      kImpatient);
  EXPECT_EQ(ended, 2);
}

// What a rank gives up for is what all others fail with, to the letter and the code.
TEST(FailureTest, GivingUpTellsAll) {
  for (int ranks = 2; ranks <= 7; ++ranks) {
    InProcessNetwork network(ranks, {.seed = 3, .delay = microseconds(200)});
    run_ranks(network, [&](Transport& transport) {
      const int weak = ranks - 1;
      Problems ignored;
      RoundsMade made;
      std::thread giving_up;
      if (transport.rank() == weak)
        giving_up = std::thread([&] {
          made.wait_for(5);
          transport.fail(Status::disk_full("cannot write a block: the disk is full"));
        });
      search_until_failure(transport, ignored, made);
      if (giving_up.joinable()) giving_up.join();
      EXPECT_EQ(transport.status().message(),
                names_rank(transport, weak) + ": cannot write a block: the disk is full");
      EXPECT_EQ(transport.status().code(), StatusCode::disk_full);
      EXPECT_EQ(transport.reporting_rank(), 0);
      EXPECT_FALSE(transport.finish().ok());
    });
  }
}

TEST(FailureTest, LeavingWithoutFinishIsNoticed) {
  InProcessNetwork network(3);
  run_ranks(network, [&](Transport& transport) {
    if (transport.rank() == 1) return;
    const Status status = transport.barrier();
    EXPECT_EQ(status.message(), names_rank(transport, 1) + ": ended before the others");
    EXPECT_FALSE(transport.finish().ok());
  });
}

TEST(FailureTest, AProbeFindsTheDead) {
  InProcessNetwork network(4);
  std::latch killed(1);
  run_ranks(network, [&](Transport& transport) {
    EXPECT_TRUE(transport.probe(seconds(10)).ok());
    EXPECT_TRUE(transport.barrier().ok());
    if (transport.rank() == 2) {
      network.kill(2);
      killed.count_down();
      return;
    }
    killed.wait();
    const Status status = transport.probe(milliseconds(200));
    EXPECT_EQ(status.message(), names_rank(transport, 2) + " does not answer: it died, or cannot be reached");
    EXPECT_FALSE(transport.finish().ok());
  });
}

// After a failure of one that lives, everybody waits for the others before it ends.
TEST(FailureTest, FarewellsAreAwaited) {
  InProcessNetwork network(3);
  std::atomic<int> cleaned{0};
  run_ranks(network, [&](Transport& transport) {
    if (transport.rank() == 0) transport.fail(Status::system("no more memory"));
    EXPECT_FALSE(transport.barrier().ok());
    std::this_thread::sleep_for(milliseconds(100 * transport.rank()));
    ++cleaned;
    EXPECT_FALSE(transport.finish().ok());
    EXPECT_EQ(cleaned, 3);
  });
}

}  // namespace
}  // namespace strata::cluster
