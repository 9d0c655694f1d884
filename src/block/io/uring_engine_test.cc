// The engine on a ring in trouble: whatever the kernel answers, each operation ends with the right bytes, and no thread
// waits for a completion that does not come.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "block/io/block_buffer.h"
#include "block/io/io_engine.h"
#include "block/testing/fake_ring.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kRingBlock = 4096, kRingBlocks = 48;

class UringEngineTest : public testing::Test {
 protected:
  UringEngineTest() : path_(folder_.path() + "/file") {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(0, ::ftruncate(file_, static_cast<off_t>(kRingBlock * kRingBlocks * 8)));
  }
  ~UringEngineTest() override { ::close(file_); }

  void begin(FakeRing::Behaviour behaviour) {
    tally_ = {};
    engine_ = make_ring_engine(std::make_unique<FakeRing>(std::move(behaviour), tally_));
  }
  void start(IoOperation::Kind kind, uint64_t block, uint8_t* data, Transfer& transfer) {
    transfer.begin(engine_->carrier());
    engine_->start({kind, file_, block * kRingBlock, data, kRingBlock, &path_, &transfer});
  }
  // A thread writes its blocks and reads them again, singly and held back.
  void work(uint64_t first, uint64_t seed) {
    Random random(seed);
    std::vector<BlockBuffer> buffers(kRingBlocks);
    for (BlockBuffer& buffer : buffers) buffer = BlockBuffer(kRingBlock);
    const auto value = [&](uint64_t i) { return static_cast<int>((first + i) * 7 % 251 + 1); };
    for (const IoOperation::Kind kind : {IoOperation::Kind::write, IoOperation::Kind::read}) {
      std::vector<Transfer> transfers(kRingBlocks);
      const bool reads = kind == IoOperation::Kind::read;
      for (uint64_t i = 0; i < kRingBlocks; ++i)
        std::memset(buffers[i].data(), reads ? 0 : value(i), kRingBlock);
      for (uint64_t i = 0; i < kRingBlocks;) {
        const SubmitBatch batch(engine_->carrier());
        for (const uint64_t end = std::min(kRingBlocks, i + 1 + random.below(12)); i < end; ++i)
          start(kind, first + i, buffers[i].data(), transfers[i]);
        if (random.chance(30)) transfers[random.below(i)].poll();
      }
      for (const Transfer& transfer : transfers)
        EXPECT_TRUE(transfer.wait().ok()) << transfer.wait().message();
      for (uint64_t i = 0; i < kRingBlocks; ++i) {
        EXPECT_EQ(value(i), buffers[i].data()[0]) << i;
        EXPECT_EQ(value(i), buffers[i].data()[kRingBlock - 1]) << i;
      }
    }
  }
  // On some threads; then the engine ends.
  void run(FakeRing::Behaviour behaviour, unsigned threads = 4) {
    begin(std::move(behaviour));
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i) all.emplace_back([this, i] { work(i * kRingBlocks, i); });
    for (std::thread& thread : all) thread.join();
    engine_.reset();
    EXPECT_FALSE(tally_.stuck);
  }

  TemporaryFolder folder_{true};
  const std::string path_;
  int file_ = -1;
  FakeRing::Tally tally_;
  std::unique_ptr<IoEngine> engine_;
};

TEST_F(UringEngineTest, WorksOnAHealthyRing) {
  run({});
  EXPECT_EQ(tally_.taken, tally_.completed);
  EXPECT_EQ(0u, tally_.cleared);
  EXPECT_GT(tally_.taken, 50u);
}

TEST_F(UringEngineTest, ABusyKernelIsAskedAgain) {
  for (const int error : {EBUSY, EAGAIN, EINTR}) {
    run({.answer = [error](uint64_t call) { return call % 4 < 3 ? -error : 0; }}, 1);
    EXPECT_GT(tally_.refused, 20u) << error;
    EXPECT_GT(tally_.taken, 20u) << error;
    EXPECT_EQ(0u, tally_.cleared) << error;
    run({.answer = [error](uint64_t call) { return call % 4 < 3 ? -error : 0; }});
  }
}

// As many completions as the kernel has room for: it takes nothing more until somebody takes some.
TEST_F(UringEngineTest, CompletionsAreTakenWhereTheyAreInTheWay) {
  run({.depth = 4, .most_completions = 3}, 1);
  EXPECT_GT(tally_.refused, 5u);
  EXPECT_EQ(0u, tally_.cleared);
  run({.depth = 4, .most_completions = 3});
  EXPECT_GT(tally_.taken, 50u);
}

TEST_F(UringEngineTest, AKernelThatRefusesForEverIsDoneWithout) {
  for (const int error : {EBUSY, EAGAIN, EINTR, EBADF}) {
    run({.answer = [error](uint64_t) { return -error; }});
    EXPECT_EQ(0u, tally_.taken) << error;
  }
  run({.answer = [](uint64_t call) { return call < 20 ? 0 : -EBUSY; }});
  run({.answer = [](uint64_t call) { return call < 20 ? -EBUSY : 0; }});
}

TEST_F(UringEngineTest, AKernelThatTakesSomePlacesIsAskedForTheRest) {
  run({.answer = [](uint64_t) { return 1; }});
  EXPECT_EQ(0u, tally_.cleared);
  run({.answer = [](uint64_t call) { return call % 3 == 0 ? 2 : call % 3 == 1 ? -EAGAIN : 0; }});
}

TEST_F(UringEngineTest, WhatACompletionLacksIsCarriedOut) {
  const auto shorter = [](uint64_t bytes, Random& random) {
    return static_cast<int64_t>(1 + random.below(bytes));
  };
  run({.result = shorter});
  const auto bad = [](uint64_t bytes, Random& random) -> int64_t {
    const int64_t results[] = {-ECANCELED, -EAGAIN, -EINTR, static_cast<int64_t>(bytes / 2 + 1),
                               static_cast<int64_t>(bytes)};
    return results[random.below(std::size(results))];
  };
  run({.result = bad});
  run({.answer = [](uint64_t call) { return call % 5 == 0 ? -EBUSY : 0; },
       .most_completions = 2,
       .result = bad});
}

TEST_F(UringEngineTest, AWaitMayFail) {
  run({.wait_answer = [](uint64_t call) { return call % 3 == 0 ? -EINTR : call % 3 == 1 ? -EBADF : 0; }});
}

TEST_F(UringEngineTest, AnErrorIsThatOfTheOperation) {
  begin({.result = [](uint64_t, Random&) -> int64_t { return -EIO; }});
  const BlockBuffer buffer(kRingBlock);
  Transfer transfer;
  start(IoOperation::Kind::read, 3, buffer.data(), transfer);
  EXPECT_EQ(path_ + ": reading 4096 bytes at offset 12288: Input/output error", transfer.wait().message());
}

// The destructor waits for operations that the kernel has taken, even if no caller waits for the transfer.
TEST_F(UringEngineTest, TheEndWaitsForWhatIsUnderWay) {
  begin({});
  const BlockBuffer buffer(kRingBlock);
  Transfer transfer;
  start(IoOperation::Kind::write, 0, buffer.data(), transfer);
  engine_.reset();
  EXPECT_FALSE(transfer.busy());
  EXPECT_EQ(1u, tally_.completed);
}

}  // namespace
}  // namespace strata
