#include "search/device/kernel_text.h"

#include <gtest/gtest.h>

#include <string>

#include "device/contract/kernel_cache.h"
#include "device/cuda/libraries.h"
#include "device/cuda/nvrtc.h"
#include "model/testing/random_graph.h"
#include "search/device/fold_text.h"
#include "search/testing/test_device.h"

namespace strata {
namespace {

device::DeviceInfo gpu(const char* architecture) {
  device::DeviceInfo info;
  info.architecture = architecture;
  info.lanes = 32;
  return info;
}

DeviceCode code_of(uint32_t words, uint32_t most) {
  DeviceCode code;
  code.state_words = words;
  code.most_of_group = most;
  return code;
}

TEST(KernelTextTest, TheFormFollowsFromTheStates) {
  struct Case {
    uint64_t bits;
    uint32_t words;
    const char* architecture;
    SlotForm form;
  };
  for (const Case& one : {Case{1, 1, "sm_80", SlotForm::states}, Case{63, 1, "sm_80", SlotForm::states},
                          Case{64, 1, "sm_90", SlotForm::places}, Case{65, 2, "sm_90", SlotForm::states},
                          Case{127, 2, "sm_120", SlotForm::states}, Case{100, 2, "host", SlotForm::states},
                          Case{100, 2, "sm_89", SlotForm::places}, Case{128, 2, "sm_90", SlotForm::places},
                          Case{130, 3, "sm_90", SlotForm::places}})
    EXPECT_EQ(kernel_shape(code_of(one.words, 1), one.bits, gpu(one.architecture)).slots, one.form)
        << one.bits;
}

TEST(KernelTextTest, ABlockHasAsManyWarpsAsHaveRoom) {
  EXPECT_EQ(kernel_shape(code_of(2, 1), 127, gpu("sm_90")).warps_of_block, 8u);
  // Eight would leave little cache.
  EXPECT_EQ(kernel_shape(code_of(5, 3), 290, gpu("sm_90")).warps_of_block, 4u);
  const KernelShape few = kernel_shape(code_of(40, 1), 2560, gpu("sm_90"));
  EXPECT_FALSE(few.queues_in_memory);
  EXPECT_EQ(few.warps_of_block, 2u);
  EXPECT_LE(few.warps_of_block * (few.queue_bytes + 260), 48u << 10);
  const KernelShape none = kernel_shape(code_of(84, 4), 5320, gpu("sm_90"));
  EXPECT_TRUE(none.queues_in_memory);
  EXPECT_EQ(none.warps_of_block, 8u);
  EXPECT_EQ(none.queue_bytes, (31 + 32 * 4) * 84 * 8u);
}

TEST(KernelTextTest, InTwoPassesOnlyStatesWaitWhoseRepresentativesNeedALaterStage) {
  DeviceCode code = code_of(84, 1);
  code.two_passes = true;
  const KernelShape all = kernel_shape(code, 5320, gpu("sm_90"));
  EXPECT_TRUE(all.two_passes);
  EXPECT_FALSE(all.queues_in_memory);
  EXPECT_EQ(all.queue_bytes, 0u);
  EXPECT_EQ(all.warps_of_block, 8u);
  code.reduces = true;
  const KernelShape orbits = kernel_shape(code, 5320, gpu("sm_90"));
  EXPECT_TRUE(orbits.queues_in_memory);
  EXPECT_EQ(orbits.queue_bytes, 2 * 63 * 84 * 8u);
}

TEST(KernelTextTest, FoldedStatesAreKeys) {
  DeviceCode code = code_of(5, 1);
  code.tree = long_tree(37);
  const KernelShape shape = kernel_shape(code, 290, gpu("sm_90"));
  EXPECT_EQ(shape.slots, SlotForm::folded);
  EXPECT_EQ(shape.list_words(), 1u);
  EXPECT_EQ(shape.slots_of_bucket(), 8u);
}

// The tree ((0, 1), (2, (0 1))): the highest bit of the key stays free, so its upper half is the number of a pair.
TEST(KernelTextTest, TheTextOfATree) {
  const StateTree tree{3, {{0, 1}, {3, 2}}};
  EXPECT_EQ(fold_text(tree, 2), R"(inline u64 fold_state(const VisitedStates& visited, const u64* state) {
  const u32 n3 = node_of(visited, u32(state[0]), u32(state[0] >> 32));
  return u64(n3) << 32 | u32(state[1]);
}
inline void unfold_state(const VisitedStates& visited, u64 key, u64* state) {
  const u32 w2 = u32(key), n3 = u32(key >> 32);
  const u64 p0 = node_at(visited, n3);
  const u32 w0 = u32(p0), w1 = u32(p0 >> 32);
  state[0] = w0 | u64(w1) << 32;
  state[1] = w2;
}
)");
}

TEST(KernelTextTest, KeysTellTextsApart) {
  const auto device = make_test_device(1);
  const device::KernelText text{"a", {"-Db"}, false};
  const std::string key = device::kernel_key(*device, text);
  EXPECT_EQ(key.size(), 32u);
  EXPECT_EQ(key, device::kernel_key(*device, text));
  for (const device::KernelText& other :
       {device::KernelText{"a", {"-Db"}, true}, device::KernelText{"b", {"-Db"}, false},
        device::KernelText{"-Dba", {}, false}, device::KernelText{"a", {"-D", "b"}, false}})
    EXPECT_NE(key, device::kernel_key(*device, other));
}

// The kernels of all forms are for GPUs, too. NVRTC needs none.
TEST(KernelTextTest, NvrtcTakesThem) {
  const Result<device::Nvrtc> nvrtc = device::Nvrtc::load(device::library_places().compiler);
  if (!nvrtc.ok()) GTEST_SKIP() << nvrtc.status().message();
  struct Case {
    uint64_t bytes;
    const char* architecture;
    bool two_passes, folds;
  };
  for (const Case& one :
       {Case{4, "sm_80", false, false}, Case{13, "sm_90", false, false}, Case{40, "sm_80", false, true},
        Case{1200, "sm_90", true, false}, Case{160, "sm_90", true, true}}) {
    Graph graph = random_graph(1);
    graph.state_bytes = one.bytes;
    graph.two_passes = one.two_passes;
    const ExplicitGraphModel model(graph);
    Result<DeviceCode> code = model.device_code();
    ASSERT_TRUE(code.ok());
    if (one.folds) code->tree = long_tree(one.bytes);
    KernelShape shape = kernel_shape(*code, model.info().state_bits, gpu(one.architecture));
    for (const bool beyond : {false, true}) {
      shape.beyond = beyond;
      device::KernelText text = kernel_text(*code, shape);
      text.quick = one.bytes != 13 || beyond;  // several seconds otherwise
      const Result<std::string> image = nvrtc->compile(text, one.architecture);
      EXPECT_TRUE(image.ok()) << one.bytes << ", " << one.architecture << ": " << image.status().message();
    }
  }
}

}  // namespace
}  // namespace strata
