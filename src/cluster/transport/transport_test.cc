// The contract on ranks in one process, with delays and disorder; and what happens when one of them is lost.
#include "cluster/transport/transport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "cluster/testing/contract.h"
#include "cluster/testing/in_process.h"

namespace strata::cluster {
namespace {

using std::chrono::microseconds, std::chrono::milliseconds;

void expect_none(const Problems& problems) {
  for (const std::string& problem : problems.list()) ADD_FAILURE() << problem;
}

TEST(TransportTest, Alone) {
  const std::unique_ptr<Transport> transport = Transport::alone();
  EXPECT_EQ(transport->ranks(), 1);
  EXPECT_STREQ(transport->name(), "alone");
  Problems problems;
  run_contract(*transport, 1, problems);
  expect_none(problems);
  EXPECT_TRUE(transport->finish().ok());
}

TEST(TransportTest, BytesNeededOfOneRankAreNone) {
  EXPECT_EQ(Transport::bytes_needed(1, {}), 0u);
  const uint64_t two = Transport::bytes_needed(2, {.bytes = 1000, .window = 4});
  EXPECT_GE(two, 8000u);
  EXPECT_LE(two, 9000u);
  EXPECT_EQ(Transport::bytes_needed(11, {.bytes = 1000, .window = 4}), 10 * two);
}

class InProcessTest : public testing::TestWithParam<int> {};

TEST_P(InProcessTest, Contract) {
  const int ranks = GetParam();
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    for (const microseconds delay : {microseconds(0), microseconds(700)}) {
      InProcessNetwork network(ranks, {.seed = seed, .delay = delay});
      Problems problems;
      run_ranks(network,
                [&](Transport& transport) {
                  run_contract(transport, seed, problems);
                  problems.expect(transport.finish(), "finish");
                },
                {.signs = milliseconds(20)});
      expect_none(problems);
    }
  }
}

// No rank passes a barrier before the last one has arrived.
TEST_P(InProcessTest, BarriersHold) {
  InProcessNetwork network(GetParam(), {.delay = microseconds(300)});
  std::atomic<int> arrived{0};
  run_ranks(network, [&](Transport& transport) {
    for (int i = 1; i <= 10; ++i) {
      std::this_thread::sleep_for(microseconds(100 * transport.rank()));
      ++arrived;
      EXPECT_TRUE(transport.barrier().ok());
      EXPECT_GE(arrived.load(), i * GetParam());
    }
    EXPECT_TRUE(transport.finish().ok());
  });
}

// A rank that takes nothing in gets a window of each other one, and not a batch more.
TEST_P(InProcessTest, NobodyIsDrowned) {
  const int ranks = GetParam();
  InProcessNetwork network(ranks);
  run_ranks(network, [&](Transport& transport) {
    ASSERT_TRUE(transport.open_batches({.bytes = 100, .window = 5}).ok());
    const std::vector<uint8_t> bytes(100, 1);
    if (transport.rank() > 0) {
      for (int i = 0; i < 5; ++i) EXPECT_TRUE(transport.try_send(0, 0, bytes));
      for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(transport.try_send(0, 0, bytes));
        transport.wait(0);
      }
    }
    ASSERT_TRUE(transport.barrier().ok());
    transport.end_sends();
    int taken = 0;
    for (Batch batch; !transport.round_over();) {
      if (transport.try_receive(batch))
        ++taken;
      else
        transport.wait();
    }
    EXPECT_EQ(taken, transport.rank() == 0 ? 5 * (ranks - 1) : 0);
    EXPECT_TRUE(transport.finish().ok());
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, InProcessTest, testing::Range(1, 10));

// A round is not over while a batch is still held.
TEST(TransportTest, HeldBatchesKeepTheRoundOpen) {
  InProcessNetwork network(2);
  run_ranks(network, [&](Transport& transport) {
    ASSERT_TRUE(transport.open_batches({.bytes = 100, .window = 1}).ok());
    EXPECT_TRUE(transport.rank() != 0 || transport.try_send(1, 7, std::vector<uint8_t>(10, 3)));
    transport.end_sends();
    if (transport.rank() == 1) {
      Batch batch;
      while (!transport.try_receive(batch)) transport.wait();
      EXPECT_EQ(batch.kind(), 7);
      EXPECT_EQ(batch.from(), 0);
      std::this_thread::sleep_for(milliseconds(20));
      EXPECT_FALSE(transport.round_over());
      EXPECT_FALSE(transport.next_round().ok());
      batch.release();
      EXPECT_TRUE(transport.round_over());
    }
    while (!transport.round_over()) transport.wait();
    EXPECT_TRUE(transport.next_round().ok());
    EXPECT_TRUE(transport.finish().ok());
  });
}

TEST(TransportTest, ShapesMustBeTheSame) {
  InProcessNetwork network(3);
  run_ranks(network, [&](Transport& transport) {
    const Status status = transport.open_batches({.bytes = transport.rank() == 2 ? 200u : 100u, .window = 1});
    EXPECT_EQ(status.message(), "the ranks have batches of different sizes");
    EXPECT_TRUE(transport.finish().ok());
  });
}

TEST(TransportTest, RanksOutOfStepAreNoticed) {
  InProcessNetwork network(2);
  run_ranks(network,
            [&](Transport& transport) {
              std::string bytes = "x";
              const Status status =
                  transport.rank() == 0 ? transport.barrier() : transport.broadcast(1, bytes);
              if (transport.rank() == 0) {
                EXPECT_EQ(status.code(), StatusCode::internal);
                transport.fail(status);
              }
            },
            {.patience = milliseconds(300)});
}

}  // namespace
}  // namespace strata::cluster
