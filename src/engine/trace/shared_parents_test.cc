#include "engine/trace/shared_parents.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint64_t kHead = 1 + 8 + 8, kEach = 8 + 4 + 2;

ParentTargets three_targets() {
  ParentTargets targets;
  for (const Bytes& state : {Bytes{1, 0}, Bytes{2, 0}, Bytes{3, 0}}) targets.want(state);
  return targets;
}

void note(ParentTargets& targets, const Bytes& state, const Bytes& parent, uint32_t rule) {
  ParentTargets::Found found;
  targets.meet(state.data(), state.size(), parent.data(), rule, found);
  targets.merge(found);
}

const StateParent& parent_of(const ParentTargets& targets, const Bytes& state) {
  return targets.parents().at(state);
}

TEST(ParentTargets, KeepTheBestParent) {
  ParentTargets targets = three_targets();
  note(targets, {1, 0}, {9, 9}, 4);
  note(targets, {1, 0}, {9, 8}, 7);
  note(targets, {1, 0}, {9, 8}, 6);
  note(targets, {1, 0}, {9, 9}, 1);
  EXPECT_EQ((Bytes{9, 8}), parent_of(targets, {1, 0}).state);
  EXPECT_EQ(6u, parent_of(targets, {1, 0}).rule);
  note(targets, {7, 7}, {0, 0}, 0);
  EXPECT_EQ(3u, targets.parents().size());
  EXPECT_TRUE(parent_of(targets, {2, 0}).state.empty());
}

// Of one rank, which found parents of the first and the last target.
std::string sent(bool goes_on = true) {
  ParentTargets targets = three_targets();
  note(targets, {1, 0}, {5, 5}, 2);
  note(targets, {3, 0}, {6, 6}, 3);
  return encode_parents(goes_on, targets);
}

TEST(SharedParents, AreTheBestOfAllRanks) {
  ParentTargets targets = three_targets();
  note(targets, {1, 0}, {5, 4}, 9);
  note(targets, {2, 0}, {8, 8}, 1);
  const Result<bool> goes_on = decode_parents(sent(), targets);
  ASSERT_TRUE(goes_on.ok()) << goes_on.status().message();
  EXPECT_TRUE(*goes_on);
  EXPECT_EQ((Bytes{5, 4}), parent_of(targets, {1, 0}).state);
  EXPECT_EQ((Bytes{8, 8}), parent_of(targets, {2, 0}).state);
  EXPECT_EQ((Bytes{6, 6}), parent_of(targets, {3, 0}).state);
  EXPECT_EQ(3u, parent_of(targets, {3, 0}).rule);
  EXPECT_FALSE(*decode_parents(sent(false), targets));
}

void expect_refused(const std::string& bytes) {
  ParentTargets targets = three_targets();
  const Result<bool> goes_on = decode_parents(bytes, targets);
  ASSERT_FALSE(goes_on.ok());
  EXPECT_EQ(StatusCode::internal, goes_on.status().code());
  for (const auto& [state, parent] : targets.parents()) EXPECT_TRUE(parent.state.empty());
}

TEST(SharedParents, AreRefusedIfTheyAreCutOff) {
  const std::string whole = sent();
  ASSERT_EQ(kHead + 2 * kEach, whole.size());
  for (uint64_t length = 0; length < whole.size(); ++length) {
    SCOPED_TRACE(length);
    expect_refused(whole.substr(0, length));
  }
  expect_refused(whole + '\0');
}

TEST(SharedParents, AreRefusedIfTheirNumbersAreWrong) {
  const auto with = [](uint64_t at, char value) {
    std::string bytes = sent();
    bytes.at(at) = value;
    return bytes;
  };
  expect_refused(with(0, 2));              // goes on: neither yes nor no
  expect_refused(with(1, 4));              // of other targets
  expect_refused(with(8, 1));              // of very many
  expect_refused(with(9, 1));              // more bytes than parents
  expect_refused(with(9, 3));              // fewer
  expect_refused(with(16, 127));           // a number of parents that no memory holds
  expect_refused(with(kHead, 3));          // no such target
  expect_refused(with(kHead + 7, 1));      // none by far
  expect_refused(with(kHead + kEach, 0));  // the same target again
}

// Whatever one byte becomes, no other memory is read, and no other target gets a parent.
TEST(SharedParents, SurviveAnyWrongByte) {
  const std::string whole = sent();
  for (uint64_t at = 0; at < whole.size(); ++at) {
    for (int value = 0; value < 256; value += 5) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(value);
      ParentTargets targets = three_targets();
      const Result<bool> goes_on = decode_parents(bytes, targets);
      EXPECT_EQ(3u, targets.parents().size());
      if (goes_on.ok()) continue;
      EXPECT_TRUE(parent_of(targets, {1, 0}).state.empty());
    }
  }
}

}  // namespace
}  // namespace strata
