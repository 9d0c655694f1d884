#include "check/check_device.h"

#include <gtest/gtest.h>

#include "liveness/cycle_algorithms.h"
#include "search/algorithms.h"

namespace strata {
namespace {

Options with_device(const std::string& device) {
  Options options;
  options.device = device;
  return options;
}

TEST(CheckDevice, TheProcessorSearchesUnlessADeviceIsNamed) {
  const Algorithm& automatic = *find_algorithm("auto");
  EXPECT_FALSE(*wants_device(with_device(""), automatic));
  EXPECT_FALSE(*wants_device(with_device("none"), automatic));
  EXPECT_TRUE(*wants_device(with_device("auto"), automatic));
  EXPECT_TRUE(*wants_device(with_device("host"), automatic));
  EXPECT_TRUE(*wants_device(with_device("1"), automatic));
}

TEST(CheckDevice, TheAlgorithmAndTheDeviceMustFit) {
  const Algorithm& gpu = device_algorithm();
  EXPECT_TRUE(*wants_device(with_device(""), gpu));
  EXPECT_TRUE(*wants_device(with_device("0"), gpu));
  EXPECT_EQ(wants_device(with_device("none"), gpu).status().message(),
            "--device none: the algorithm gpu searches on a device");
  EXPECT_EQ(wants_device(with_device("0"), *find_algorithm("ram")).status().message(),
            "--device 0: the algorithm ram runs on the processor; leave --algorithm out");
  EXPECT_FALSE(*wants_device(with_device("none"), *find_algorithm("ram")));
}

TEST(CheckDevice, TheHostTakesAPartOfTheMemory) {
  SearchOptions search;
  search.memory = 64 << 20;
  search.threads = 2;
  const auto opened = CheckDevice::open(with_device("host"), search);
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  EXPECT_EQ((*opened)->info().architecture, "host");
  EXPECT_EQ((*opened)->info().memory, 48u << 20);
  ASSERT_NE((*opened)->search().device, nullptr);
  EXPECT_EQ((*opened)->search().memory, 0u);

  Options limited = with_device("host");
  limited.device_memory = 8 << 20;
  const auto small = CheckDevice::open(limited, search);
  ASSERT_TRUE(small.ok());
  EXPECT_EQ((*small)->info().memory, 8u << 20);
  EXPECT_EQ((*small)->search().memory, 8u << 20);
}

TEST(CheckDevice, QuestionsThatADeviceCannotAnswerAreRefusedWithAReason) {
  Task task;
  task.kind = Task::Kind::liveness;
  EXPECT_EQ(refuse_device(task, {}),
            "the property asks for a search for cycles, which runs on the processor");
  task.kind = Task::Kind::safety;
  Options options;
  options.keep = "folder";
  EXPECT_EQ(refuse_device(task, options), "a search on a device has no files that --keep could leave");
}

}  // namespace
}  // namespace strata
