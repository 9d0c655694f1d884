#include "view/fold/fold_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace strata {
namespace {

constexpr uint64_t kBytes = 192;
constexpr uint64_t kOften = 8, kSeldom = 136;  // places of numbers that change; the other bytes never do

// Counts in one place, and for each eighth count in another one too.
class CountingModel : public Model {
 public:
  CountingModel() {
    info_.state_bytes = kBytes;
    info_.state_bits = kBytes * 8;
    info_.max_successors = 1;
    info_.max_initial = 1;
  }

  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full&) const override {
    std::fill_n(out.states.data(), kBytes, uint8_t{7});
    out.count = 1;
  }
  void expand(const uint8_t* states, uint64_t, Expansion& out) const override {
    std::memcpy(out.states.data(), states, kBytes);
    uint8_t& often = out.states.data()[kOften];
    if (++often % 8 == 0) ++out.states.data()[kSeldom];
    out.count = out.consumed = 1;
  }
  void check(const uint8_t*, uint64_t, Expansion&) const override {}
  Value describe(const uint8_t*) const override { return {}; }
  InstanceName rule_name(uint32_t) const override { return {}; }
  InstanceName start_name(uint32_t) const override { return {}; }
  FailureText describe_failure(const Failure&) const override { return {}; }

 private:
  ModelInfo info_;
};

FoldTree sampled(uint64_t memory, bool stopped = false) {
  const CountingModel model;
  const std::atomic<bool> stop{stopped};
  return FoldSample(model, memory, stop).tree();
}

uint32_t chunk_with(const FoldTree& tree, uint64_t byte) {
  return tree.chunk_of_leaf(byte / FoldTree::kLeaf);
}

unsigned depth(const FoldTree& tree, uint32_t part) {
  unsigned result = 0;
  for (; part + 1 < tree.parts(); part = tree.above(part)) ++result;
  return result;
}

TEST(FoldSample, WhatChangesOftenIsNearTheRoot) {
  const FoldTree tree = sampled(8 << 20);
  const uint32_t often = chunk_with(tree, kOften), seldom = chunk_with(tree, kSeldom);
  EXPECT_EQ(depth(tree, often), 1u);
  EXPECT_EQ(depth(tree, seldom), 2u);
  for (uint32_t part = 0; part < tree.chunks(); ++part) {
    if (part == often || part == seldom) continue;
    EXPECT_GE(depth(tree, part), 2u);
  }
}

TEST(FoldSample, WhatHasOneValueIsOneChunk) {
  const FoldTree tree = sampled(8 << 20);
  EXPECT_EQ(tree.chunk(chunk_with(tree, 64)).bytes, FoldTree::kMostChunk);
}

bool is_same(const FoldTree& a, const FoldTree& b) {
  if (a.parts() != b.parts() || a.chunks() != b.chunks()) return false;
  for (uint32_t part = a.chunks(); part < a.parts(); ++part)
    if (a.node(part).left != b.node(part).left || a.node(part).right != b.node(part).right) return false;
  return true;
}

TEST(FoldSample, IsTheSameEachTime) { EXPECT_TRUE(is_same(sampled(8 << 20), sampled(8 << 20))); }

TEST(FoldSample, TooLittleSaysNothing) {
  EXPECT_TRUE(is_same(sampled(20 << 10), FoldTree::even(kBytes)));
  EXPECT_TRUE(is_same(sampled(8 << 20, true), FoldTree::even(kBytes)));
}

}  // namespace
}  // namespace strata
