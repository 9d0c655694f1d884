#include "liveness/recurrence/edge_chunk.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "base/random.h"

namespace strata {
namespace {

struct Pair {
  uint64_t source, target;
};

void add(EdgeChunk& chunk, const std::vector<Pair>& edges) {
  for (const Pair& edge : edges) {
    uint8_t record[kEdgeBytes];
    encode_edge(edge.source, edge.target, record);
    chunk.add(record, 1);
  }
}

std::vector<uint64_t> reference(std::vector<uint64_t> reaches, const std::vector<Pair>& edges) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Pair& edge : edges) {
      const uint64_t before = reaches[edge.source];
      reaches[edge.source] |= reaches[edge.target];
      changed |= reaches[edge.source] != before;
    }
  }
  return reaches;
}

TEST(EdgeChunkTest, takes_goals_back_to_the_end) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const uint64_t states = 1 + random.below(60), goals = 1 + random.below(8), width = std::bit_ceil(goals);
    MemoryBudget budget(1 << 20);
    BitArray bits(budget, states * width);
    ReachFields reach(bits, states, width, goals);
    std::vector<uint64_t> start(states, 0);
    for (uint64_t& own : start)
      if (random.chance(10)) own = random.below(uint64_t{1} << goals);
    for (uint64_t i = 0; i < states; ++i) reach.add(i, start[i]);
    std::vector<Pair> edges(random.below(3 * states));
    for (Pair& edge : edges) edge = {random.below(states), random.below(states)};
    EdgeChunk chunk(budget, edges.size() + 1);
    ASSERT_TRUE(chunk.open());
    add(chunk, edges);
    const std::vector<uint64_t> expected = reference(start, edges);
    const auto never = [] { return false; };
    EXPECT_EQ(chunk.settle(reach, never), expected != start);
    EXPECT_FALSE(chunk.settle(reach, never));
    uint64_t open = 0, wanted = 0;
    for (uint64_t i = 0; i < states; ++i) EXPECT_EQ(expected[i], reach.get(i));
    for (const Pair& edge : edges) wanted += expected[edge.source] != (uint64_t{1} << goals) - 1;
    const Status status = chunk.write_open(reach, [&](const uint8_t*, uint64_t n) {
      open += n;
      return Status();
    });
    EXPECT_TRUE(status.ok());
    EXPECT_EQ(wanted, open);
  }
}

TEST(EdgeChunkTest, numbers_of_forty_bits_survive) {
  constexpr uint64_t kLarge = 0xfedcba9876;
  uint8_t record[kEdgeBytes];
  encode_edge(kLarge, 0x0102030405, record);
  EXPECT_EQ(0x76, record[0]);
  EXPECT_EQ(0xfe, record[4]);
  EXPECT_EQ(0x05, record[5]);
  EXPECT_EQ(0x01, record[9]);
}

TEST(EdgeChunkTest, memory_that_is_refused) {
  MemoryBudget budget(1000);
  EXPECT_FALSE(EdgeChunk(budget, 51).open());
  EXPECT_TRUE(EdgeChunk(budget, 50).open());
}

TEST(BitArrayTest, fields_lie_side_by_side) {
  MemoryBudget budget(1 << 20);
  for (const uint64_t width : {1u, 2u, 8u, 64u}) {
    BitArray bits(budget, 100 * width);
    const uint64_t full = BitArray::full_field(width);
    EXPECT_TRUE(bits.add_to_field(37, width, full));
    EXPECT_FALSE(bits.add_to_field(37, width, full));
    EXPECT_FALSE(bits.add_to_field(37, width, 1));
    for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(i == 37 ? full : 0, bits.field(i, width));
  }
}

}  // namespace
}  // namespace strata
