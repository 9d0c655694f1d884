#include "store/key/tag_word.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace strata {
namespace {

TEST(TagWordTest, FindsEqualTagsAndNoOthers) {
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    alignas(8) uint8_t bucket[8];
    for (uint8_t& tag : bucket) tag = static_cast<uint8_t>(random.below(round % 2 == 0 ? 4 : 256));
    const uint64_t keys = 1 + random.below(TagWord::kMostTags);
    const auto wanted = static_cast<uint8_t>(random.below(round % 2 == 0 ? 4 : 256));
    uint64_t equal = TagWord(bucket).equal(wanted, TagWord::high_bits(keys));
    for (uint64_t place = 0; place < keys; ++place) {
      if (bucket[place] != wanted) continue;
      ASSERT_NE(0u, equal);
      ASSERT_EQ(place, TagWord::place(equal));
      equal &= equal - 1;
    }
    ASSERT_EQ(0u, equal);
  }
}

}  // namespace
}  // namespace strata
