#include "device/testing/device_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "device/kernels/arguments.h"
#include "device/kernels/texts.h"

namespace strata::device {
namespace {

constexpr unsigned kThreads = 128;

// Two counters from 0 to SIDE - 1, each of which a rule counts up. The rule that counts the second one fails where both
// are at their ends; the property fails where both are 1.
constexpr const char* kGrid = R"(
using Slots = FORM<kStateWords>;
struct Context : Firing { u64 a, b; };
inline void load(Context& x, const u64* state) {
  x.a = state[0] & 0xffff;
  x.b = state[0] >> 16;
}
inline bool check(Context& x) { return x.a != 1 || x.b != 1; }
inline void fire(Context& x, u32 group) {
  const u64 last = SIDE - 1;
  if (group == 1 && x.a == last && x.b == last) x.failed = true;
  if ((group == 0 ? x.a : x.b) == last) return;
  x.count(group, false);
  const u64 next[1] = {x.a + (group == 0) | (x.b + (group == 1)) << 16};
  x.push(next);
}
)";
constexpr const char* kBegin = R"(
KERNEL(begin, VisitedStates) {
  const u64 state[1] = {0};
  Slots::add(argument, state, warp() == 0 && lane() == 0);
}
)";

constexpr const char* kSums = R"(
struct Sums { const u64* numbers; u64 n; u64* result; };
// Adds up all numbers: each warp those that are its own, lane by lane.
KERNEL(sum, Sums) {
  u64 own = 0;
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes) own += argument.numbers[i];
  add64(argument.result, own);
}
)";

constexpr const char* kLanesText = R"(
struct Words { u64* voted; u64* shared; u64* places; u64* taken; u128* pairs; u64* won; u64 n; };
KERNEL(lanes, Words) {
  // Each lane writes for its neighbour, and reads what that one wrote.
  WARP_MEMORY(u64, own, kLanes, 4);
  own[(lane() + 1) % kLanes] = lane() + 100;
  meet();
  const u64 left = own[lane()];
  if (left != (lane() + kLanes - 1) % kLanes + 100) add64(argument.shared, 1);
  const u32 odd = vote(lane() % 2 == 1);
  if (ones(odd) != kLanes / 2) add64(argument.voted, 1);
  if (from_lane(lane() + 7, kLanes - 1) != kLanes + 6) add64(argument.voted, 1);
  // All warps want all places; each place is won once.
  for (u64 i = 0; i < argument.n; ++i) {
    const u64 name = warp() * kLanes + lane() + 1;
    if (swap64(argument.places + i, 0, name) == 0) add64(argument.taken, 1);
    if (read64(argument.places + i) == 0) add64(argument.shared, 1);
#ifndef WITHOUT_PAIRS
    const u128 pair = u128(name) << 64 | ~name;
    if (swap128(argument.pairs + i, 0, pair) == 0) add64(argument.won, 1);
    const u128 there = read128(argument.pairs + i);
    if (u64(there >> 64) != ~u64(there)) add64(argument.shared, 1);
#endif
  }
}
)";

constexpr const char* kVisitedCase = R"(
struct Adding { VisitedStates visited; u64 n; u64 distinct; u64 seed; };
// Adds n states, which are `distinct` ones in an order that mixes them.
template <class Slots, u32 kWords>
inline void add_all(const Adding& argument) {
  const u64 step = warps() * kLanes;
  for (u64 base = warp() * kLanes; base < argument.n; base += step) {
    const u64 i = base + lane();
    u64 state[kWords];
    for (u32 k = 0; k < kWords; ++k) state[k] = mixed(mixed(i + argument.seed) % argument.distinct + k + 1) >> 1;
    Slots::add(argument.visited, state, i < argument.n);
  }
}
KERNEL(add1, Adding) { add_all<StateSlots<1>, 1>(argument); }
#ifndef WITHOUT_PAIRS
KERNEL(add2, Adding) { add_all<StateSlots<2>, 2>(argument); }
#endif
KERNEL(add1_place, Adding) { add_all<PlaceSlots<1>, 1>(argument); }
KERNEL(add2_place, Adding) { add_all<PlaceSlots<2>, 2>(argument); }
KERNEL(add5_place, Adding) { add_all<PlaceSlots<5>, 5>(argument); }
)";

Memory memory(Device& device, uint64_t bytes) {
  Result<Memory> result = Memory::allocate(device, bytes);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? std::move(*result) : Memory();
}

using kernels::Level;
using Visited = kernels::VisitedStates;
struct Adding {
  Visited visited;
  uint64_t n, distinct, seed;
};

// A set of visited states with its memory.
struct VisitedMemory {
  VisitedMemory(Device& device, uint64_t states, uint64_t words, uint64_t slots_of_bucket, double load,
                uint64_t lanes)
      : buckets(static_cast<uint64_t>(static_cast<double>(states) / load) / slots_of_bucket + 1),
        slots(memory(device, buckets * 64)),
        list(memory(device, states * words * 8)),
        counts(memory(device, 16)),
        on_way(memory(device, lanes * words * 8)) {
    EXPECT_TRUE(device.fill(slots.address(), 0, slots.bytes()).ok());
    EXPECT_TRUE(device.fill(counts.address(), 0, counts.bytes()).ok());
    capacity = states;
  }
  Visited visited() const {
    return {slots.address(),
            buckets,
            list.address(),
            capacity,
            counts.address(),
            on_way.address(),
            counts.address() + 8,
            0,
            0,
            0,
            0};
  }

  uint64_t buckets, capacity = 0;
  Memory slots, list, counts, on_way;
};

struct VisitedForm {
  const char* kernel;
  uint64_t words, slots_of_bucket;
};
constexpr VisitedForm kForms[] = {
    {"add1", 1, 8}, {"add2", 2, 4}, {"add1_place", 1, 8}, {"add2_place", 2, 8}, {"add5_place", 5, 8}};

std::unique_ptr<Program> built(Device& device, const char* kernels) {
  const Result<std::string> image = device.compile(kernel_text(kernels));
  EXPECT_TRUE(image.ok()) << image.status().message();
  if (!image.ok()) return nullptr;
  Result<std::unique_ptr<Program>> program = device.load(*image);
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? std::move(*program) : nullptr;
}

}  // namespace

namespace {

// Each state of the list once.
void expect_each_once(Device& device, const VisitedMemory& visited, const VisitedForm& form,
                      uint64_t states) {
  std::vector<uint64_t> list(states * form.words);
  ASSERT_TRUE(device.copy_from(list.data(), visited.list.address(), list.size() * 8).ok());
  std::vector<std::vector<uint64_t>> sorted;
  for (uint64_t i = 0; i < states; ++i)
    sorted.emplace_back(list.begin() + static_cast<ptrdiff_t>(i * form.words),
                        list.begin() + static_cast<ptrdiff_t>((i + 1) * form.words));
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end()) << form.kernel;
}

}  // namespace

void expect_visited(Device& device, uint64_t distinct) {
  const auto program = built(device, kVisitedCase);
  ASSERT_TRUE(program);
  constexpr uint64_t kBlocks = 64;
  for (const VisitedForm& form : kForms)
    for (const double load : {0.3, 0.9}) {
      const Result<Kernel> kernel = program->kernel(form.kernel, kThreads);
      ASSERT_TRUE(kernel.ok()) << kernel.status().message();
      const VisitedMemory visited(device, distinct, form.words, form.slots_of_bucket, load,
                                  kBlocks * kThreads);
      for (const uint64_t seed : {1, 2, 3}) {
        const Adding adding{visited.visited(), distinct * 20, distinct, seed * 1'000'000'007};
        ASSERT_TRUE(device.launch(*kernel, {kBlocks, kThreads}, &adding, sizeof adding).ok());
      }
      uint64_t counts[2] = {};
      ASSERT_TRUE(device.copy_from(counts, visited.counts.address(), sizeof counts).ok());
      EXPECT_EQ(counts[0], distinct) << form.kernel << ", load " << load;
      EXPECT_EQ(counts[1], 0u) << form.kernel << ", load " << load;
      expect_each_once(device, visited, form, std::min(counts[0], distinct));
    }
}

void expect_full(Device& device) {
  const auto program = built(device, kVisitedCase);
  ASSERT_TRUE(program);
  for (const VisitedForm& form : kForms) {
    const Result<Kernel> kernel = program->kernel(form.kernel, kThreads);
    ASSERT_TRUE(kernel.ok()) << kernel.status().message();
    const VisitedMemory visited(device, 1000, form.words, form.slots_of_bucket, 0.5, kThreads);
    const Adding adding{visited.visited(), 100'000, 2'000, 1};
    ASSERT_TRUE(device.launch(*kernel, {1, kThreads}, &adding, sizeof adding).ok());
    uint64_t counts[2] = {};
    ASSERT_TRUE(device.copy_from(counts, visited.counts.address(), sizeof counts).ok());
    EXPECT_EQ(counts[1], 1u) << form.kernel;
  }
}

KernelText level_text(uint64_t side, bool places) {
  KernelText text = kernel_text(
      "constexpr u32 kStateWords = 1, kGroups = 2, kMostOfGroup = 1, kRules = 2;"
      "constexpr u32 kWarpsOfBlock = 8, kRulesAtHand = 32, kRepeated = 0;"
      "constexpr bool kQueuesInMemory = false, kReduces = false, kTwoPasses = false, kFolds = false;"
      "constexpr u32 kListWords = kStateWords;");
  for (const char* part : {embedded::kFiringText, kGrid, embedded::kLevelText, embedded::kExpandText, kBegin})
    text.text += part;
  text.options = {"-DSIDE=" + std::to_string(side), places ? "-DFORM=PlaceSlots" : "-DFORM=StateSlots"};
  return text;
}

void expect_levels(Device& device, uint64_t side) {
  for (const bool places : {false, true}) {
    const KernelText text = level_text(side, places);
    const Result<std::string> image = device.compile(text);
    ASSERT_TRUE(image.ok()) << image.status().message();
    const Result<std::unique_ptr<Program>> program = device.load(*image);
    ASSERT_TRUE(program.ok()) << program.status().message();
    const Result<Kernel> begin = (*program)->kernel("begin", kThreads),
                         expand = (*program)->kernel("expand", kThreads);
    ASSERT_TRUE(begin.ok() && expand.ok());
    constexpr uint64_t kBlocks = 16, kFlags = 16;
    const VisitedMemory visited(device, side * side, 1, 8, 0.5, kBlocks * kThreads);
    const Memory fired = memory(device, 32), flagged = memory(device, kFlags * 8), flags = memory(device, 8);
    for (const Memory* each : {&fired, &flags})
      ASSERT_TRUE(device.fill(each->address(), 0, each->bytes()).ok());
    Level level{};
    level.visited = visited.visited();
    level.fired = fired.address();
    level.flagged = flagged.address();
    level.flags = flags.address();
    level.most_flagged = kFlags;
    level.properties = 1;
    ASSERT_TRUE(device.launch(*begin, {1, kThreads}, &level.visited, sizeof level.visited).ok());
    // Behind (1, 1) nothing is expanded, so states whose counters are both above 1 are reached around it.
    uint64_t counts[2] = {}, levels = 0, totals[3] = {};
    for (;; ++levels) {
      ASSERT_TRUE(device.copy_from(counts, visited.counts.address(), sizeof counts).ok());
      if (counts[0] == level.to) break;
      level.from = level.to;
      level.to = counts[0];
      ASSERT_TRUE(device.launch(*expand, {kBlocks, kThreads}, &level, sizeof level).ok());
    }
    ASSERT_TRUE(device.copy_from(totals, fired.address(), 16).ok());
    ASSERT_TRUE(device.copy_from(totals + 2, flags.address(), 8).ok());
    EXPECT_EQ(counts[0], side * side);
    EXPECT_EQ(counts[1], 0u);
    EXPECT_EQ(levels, 2 * side - 1);
    EXPECT_EQ(totals[0], side * (side - 1) - 1);
    EXPECT_EQ(totals[1], side * (side - 1) - 1);
    EXPECT_EQ(totals[2], 2u) << "(1, 1), and the end of both counters";
  }
}

KernelText kernel_text(const char* kernels) {
  return {std::string(embedded::kLaneText) + embedded::kVisitedText + kernels, {}, false};
}

// Numbers come to two halves of memory by turns, while kernels read the other half.
void expect_copies_beside(Device& device, const Kernel& sum) {
  constexpr uint64_t kNumbers = 100'000, kRounds = 40;
  std::vector<uint64_t> numbers(kNumbers * kRounds);
  std::iota(numbers.begin(), numbers.end(), 1);
  const Memory halves = memory(device, 2 * kNumbers * 8), result = memory(device, 8);
  ASSERT_TRUE(device.fill(result.address(), 0, 8).ok());
  const bool pinned = device.pin(numbers.data(), numbers.size() * 8);
  for (uint64_t round = 0; round < kRounds; ++round) {
    const unsigned place = round % 2;
    const struct {
      Address numbers;
      uint64_t n;
      Address result;
    } argument{halves.address() + place * kNumbers * 8, kNumbers, result.address()};
    ASSERT_TRUE(
        device.copy_beside(place, argument.numbers, numbers.data() + round * kNumbers, kNumbers * 8).ok());
    ASSERT_TRUE(device.launch(sum, {7, kThreads}, &argument, sizeof argument).ok());
    ASSERT_TRUE(device.leave(place).ok());
  }
  ASSERT_TRUE(device.wait().ok());
  if (pinned) device.unpin(numbers.data());
  uint64_t total = 0;
  ASSERT_TRUE(device.copy_from(&total, result.address(), 8).ok());
  EXPECT_EQ(total, numbers.size() * (numbers.size() + 1) / 2);
}

void expect_device(Device& device) {
  const auto program = built(device, kSums);
  ASSERT_TRUE(program);
  const Result<Kernel> sum = program->kernel("sum", kThreads);
  ASSERT_TRUE(sum.ok()) << sum.status().message();
  EXPECT_GE(sum->blocks, 1u);
  EXPECT_FALSE(program->kernel("sums", kThreads).ok());

  std::vector<uint64_t> numbers(100'000);
  std::iota(numbers.begin(), numbers.end(), 1);
  const Memory there = memory(device, numbers.size() * 8), result = memory(device, 8);
  ASSERT_TRUE(device.copy_to(there.address(), numbers.data(), there.bytes()).ok());
  ASSERT_TRUE(device.fill(result.address(), 0, 8).ok());
  const struct {
    Address numbers;
    uint64_t n;
    Address result;
  } argument{there.address(), numbers.size(), result.address()};
  const Result<Moment> before = device.mark();
  ASSERT_TRUE(before.ok());
  ASSERT_TRUE(device.launch(*sum, {7, kThreads}, &argument, sizeof argument).ok());
  const Result<Moment> after = device.mark();
  ASSERT_TRUE(after.ok());
  ASSERT_TRUE(device.wait().ok());
  uint64_t total = 0;
  ASSERT_TRUE(device.copy_from(&total, result.address(), 8).ok());
  EXPECT_EQ(total, uint64_t{100'000} * 100'001 / 2);
  const Result<double> seconds = device.seconds(*before, *after);
  ASSERT_TRUE(seconds.ok());
  EXPECT_GE(*seconds, 0);

  ASSERT_TRUE(device.fill(there.address(), 0xab, 16).ok());
  ASSERT_TRUE(device.copy_from(numbers.data(), there.address(), 24).ok());
  EXPECT_EQ(numbers[1], 0xababababababababu);
  EXPECT_EQ(numbers[2], 3u);

  // Queued copies of memory that is pinned, and of memory that is not.
  std::vector<uint64_t> back(numbers.size());
  for (const bool pinned : {false, true}) {
    if (pinned) device.pin(back.data(), back.size() * 8);
    numbers[7] = pinned ? 1 : 2;
    ASSERT_TRUE(device.queue_copy_to(there.address(), numbers.data(), there.bytes()).ok());
    ASSERT_TRUE(device.queue_copy_from(back.data(), there.address(), there.bytes()).ok());
    ASSERT_TRUE(device.wait().ok());
    EXPECT_EQ(numbers, back);
    if (pinned) device.unpin(back.data());
  }

  expect_copies_beside(device, *sum);

  const Result<uint64_t> available = device.free_memory();
  ASSERT_TRUE(available.ok());
  const Result<Memory> too_much = Memory::allocate(device, device.info().memory + (1ull << 30));
  ASSERT_FALSE(too_much.ok());
  EXPECT_EQ(too_much.status().code(), StatusCode::limit);
  KernelText wrong = kernel_text("KERNEL(");
  EXPECT_FALSE(device.compile(wrong).ok());
}

void expect_lanes(Device& device) {
  const auto program = built(device, kLanesText);
  ASSERT_TRUE(program);
  const Result<Kernel> lanes = program->kernel("lanes", kThreads);
  ASSERT_TRUE(lanes.ok()) << lanes.status().message();
  constexpr uint64_t kPlaces = 1000;
  const Memory counts = memory(device, 4 * 8), places = memory(device, kPlaces * 8),
               pairs = memory(device, kPlaces * 16);
  for (const Memory* each : {&counts, &places, &pairs})
    ASSERT_TRUE(device.fill(each->address(), 0, each->bytes()).ok());
  const Address at = counts.address();
  const struct {
    Address voted, shared, places, taken, pairs, won;
    uint64_t n;
  } argument{at, at + 8, places.address(), at + 16, pairs.address(), at + 24, kPlaces};
  ASSERT_TRUE(device.launch(*lanes, {16, kThreads}, &argument, sizeof argument).ok());
  uint64_t counted[4] = {};
  ASSERT_TRUE(device.copy_from(counted, at, sizeof counted).ok());
  EXPECT_EQ(counted[0], 0u) << "votes";
  EXPECT_EQ(counted[1], 0u) << "shared memory";
  EXPECT_EQ(counted[2], kPlaces) << "words won";
  EXPECT_EQ(counted[3], kPlaces) << "pairs of words won";
}

}  // namespace strata::device
