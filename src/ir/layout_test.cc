#include "ir/layout.h"

#include <gtest/gtest.h>

namespace strata::ir {
namespace {

ScalarType range(int64_t lo, int64_t hi) { return {{{lo, hi, {}, ""}}, true}; }

// types: 2 = 0..4, 3 = union {p_1..p_3, home}, 4 = array [3] of 2, 5 = record {a: 2, b: 4}, 6 = multiset [3] of 2
Program sample() {
  Program p;
  p.types.resize(7);
  p.types[kInteger].shape = ScalarType{{{INT64_MIN, INT64_MAX, {}, ""}}, false};
  p.types[kBoolean].shape = ScalarType{{{0, 1, {"false", "true"}, ""}}, true};
  p.types[2].shape = range(0, 4);
  p.types[3].shape = ScalarType{{{10, 12, {}, "p_"}, {20, 20, {"home"}, ""}}, true};
  p.types[4].shape = ArrayType{3, 2};
  p.types[5].shape = RecordType{{{"a", 2}, {"b", 4}}};
  p.types[6].shape = MultisetType{3, 2};
  p.state = {{"r", 5, {}}, {"m", 6, {}}};
  return p;
}

TEST(Layout, BitsFor) {
  EXPECT_EQ(bits_for(1), 0u);
  EXPECT_EQ(bits_for(2), 1u);
  EXPECT_EQ(bits_for(5), 3u);
  EXPECT_EQ(bits_for(8), 3u);
  EXPECT_EQ(bits_for(9), 4u);
}

TEST(Layout, SizesOfTypes) {
  const Program p = sample();
  EXPECT_EQ(type_bits(p, kBoolean), 2u);  // false, true, undefined
  EXPECT_EQ(type_bits(p, 2), 3u);
  EXPECT_EQ(type_bits(p, 3), 3u);
  EXPECT_EQ(type_bits(p, 4), 12u);
  EXPECT_EQ(type_bits(p, 5), 15u);
  EXPECT_EQ(type_bits(p, 6), 2u + 9u);
  EXPECT_EQ(state_bits(p), 26u);
  EXPECT_EQ(leaf_count(p, 5), 5u);
}

TEST(Layout, RanksAcrossSegments) {
  const Program p = sample();
  const ScalarType& u = *p.types[3].scalar();
  EXPECT_EQ(cardinality(u), 4u);
  EXPECT_EQ(rank(u, 12), 2u);
  EXPECT_EQ(rank(u, 20), 3u);
  EXPECT_FALSE(rank(u, 13).has_value());
  for (uint64_t i = 0; i < 4; ++i) EXPECT_EQ(rank(u, value_at(u, i)), i);
  EXPECT_EQ(value_text(u, 11), "p_2");
  EXPECT_EQ(value_text(u, 20), "home");
}

TEST(Layout, DecodesWhatTheGrammarSays) {
  const Program p = sample();
  // r.a = 3 (code 4), r.b = 1, undefined, 0, 4 (codes 2 0 1 5), m = {0, 2} (count 2, codes 1 3 0)
  const uint64_t codes[][2] = {{4, 3}, {2, 3}, {0, 3}, {1, 3}, {5, 3}, {2, 2}, {1, 3}, {3, 3}, {0, 3}};
  uint64_t bits = 0, at = 0;
  for (const auto& [code, width] : codes) {
    bits |= code << at;
    at += width;
  }
  uint8_t bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(bits >> (8 * i));
  const Value state = decode_state(p, bytes);
  ASSERT_EQ(state.members.size(), 2u);
  const Value& r = state.members[0].second;
  EXPECT_EQ(r.members[0].second.number, 3);
  EXPECT_EQ(r.members[1].second.members[0].first, "p_1");
  EXPECT_EQ(r.members[1].second.members[0].second.number, 1);
  EXPECT_EQ(r.members[1].second.members[1].second.kind, Value::Kind::undefined);
  EXPECT_EQ(r.members[1].second.members[3].first, "home");
  EXPECT_EQ(r.members[1].second.members[3].second.number, 4);
  const Value& m = state.members[1].second;
  EXPECT_EQ(m.kind, Value::Kind::multiset);
  ASSERT_EQ(m.members.size(), 2u);
  EXPECT_EQ(m.members[1].second.number, 2);
}

TEST(Layout, DomainsWithSteps) {
  const Program p = sample();
  const auto number = [](int64_t v) {
    auto e = std::make_unique<Expr>();
    e->value = v;
    return e;
  };
  Domain d;
  d.from = number(9);
  d.to = number(1);
  d.by = number(-3);
  EXPECT_EQ(domain_size(p, d), 3u);
  EXPECT_EQ(domain_value(p, d, 2), 3);
  d.by = number(2);
  EXPECT_EQ(domain_size(p, d), 0u);
}

}  // namespace
}  // namespace strata::ir
