#include "search/filtered/background_decider.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/random.h"
#include "base/sanitized.h"
#include "search/testing/decider_run.h"

namespace strata {
namespace {

// Memory at a multiple of 64.
class Memory {
 public:
  explicit Memory(uint64_t bytes) : bytes_(bytes + 64) {}
  uint8_t* data() { return bytes_.data() + (64 - reinterpret_cast<uint64_t>(bytes_.data()) % 64) % 64; }
  uint64_t size() const { return bytes_.size() - 64; }

 private:
  std::vector<uint8_t> bytes_;
};

// Threads find states as in a search: the first one to see a state appends it to the visited ones, some time
// later; the others make it wait, now and then, and some states that no caller marks as fresh only wait. Rounds
// follow each other, with a table that takes all of a partition or a part of it. In the end each state is
// there once.
TEST(BackgroundDecider, DecidesWhileStatesAreFound) {
  constexpr uint32_t kStates = 6000;
  for (uint64_t seed = 1; seed <= (kSanitized ? 6 : 24); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    StoreMode mode;
    if (seed % 3 == 0) mode.signature_bits = 48;
    DeciderRun run(mode, 1 + static_cast<unsigned>(seed % 4), static_cast<unsigned>(seed % 5));
    run.name_seen(kStates);
    Memory memory(seed % 2 == 0 ? 4096 : 256 << 10);
    std::vector<std::atomic<bool>> seen(kStates);
    std::mutex begins;
    run.run().pool().run([&](unsigned thread) {
      Random random(100 * seed + thread);
      for (int batch = 0; batch < (kSanitized ? 60 : 400); ++batch) {
        {
          const BackgroundDecider::Storing storing(run.background, thread);
          for (int i = 0; i < 20; ++i) {
            const auto state = static_cast<uint32_t>(random.below(kStates));
            const bool fresh = !seen[state].exchange(true) && state % 7 != 0;
            if (fresh && i % 4 == 0) std::this_thread::yield();
            if (fresh) {
              run.visited.append(thread, DeciderRun::bytes_of(state), 1);
            } else {
              run.make_wait(state);
            }
          }
        }
        run.background.work(run.run().disk_worker(thread));
        const std::lock_guard<std::mutex> lock(begins);
        if (run.background.active()) continue;
        EXPECT_TRUE(run.background.begin(memory.data(), memory.size()).ok());
      }
    });
    // Put down in between, as for a checkpoint.
    run.background.pause();
    EXPECT_TRUE(run.background.active());
    for (uint32_t state = 0; state < kStates; ++state) run.make_wait(state);
    run.background.finish();
    EXPECT_FALSE(run.background.active());
    ASSERT_TRUE(run.background.begin(memory.data(), memory.size()).ok());
    run.background.finish();
    EXPECT_EQ(0u, run.waiting.count());
    EXPECT_GE(run.background.rounds(), 2u);
    EXPECT_GE(run.background.found(), kStates / 7);
    run.check_visited();
    if (testing::Test::HasFailure()) return;
  }
}

// What was not decided goes on waiting.
TEST(BackgroundDecider, IsCancelled) {
  DeciderRun run({}, 2, 3);
  for (uint32_t state = 0; state < 3000; ++state) run.visit(state);
  for (uint32_t state = 2000; state < 5000; ++state) run.wait(state);
  Memory memory(64 << 10);
  ASSERT_TRUE(run.background.begin(memory.data(), memory.size()).ok());
  run.background.work(run.run().disk_worker(0));
  run.background.cancel();
  EXPECT_FALSE(run.background.active());
  EXPECT_EQ(3000u, run.waiting.count() + run.waiting.decided());
  EXPECT_EQ(0u, run.background.rounds());
  run.background.work(run.run().disk_worker(1));
  run.decide(run.decider.table_bytes());
  run.check_visited();
}

TEST(BackgroundDecider, NeedsMemoryForATable) {
  DeciderRun run({}, 1, 1);
  Memory memory(64);
  EXPECT_FALSE(run.background.begin(memory.data(), 16).ok());
  EXPECT_FALSE(run.background.active());
}

}  // namespace
}  // namespace strata
