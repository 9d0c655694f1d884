// How fast a device adds states to the visited ones: random states, all of them new, then all of them there. Prints a
// table: form, bytes of a state, GiB of the table, billions a second.
//
//   visited_bench GIB_OF_TABLE [DEVICE]

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "device/choose_device.h"
#include "device/kernels/texts.h"

namespace {

using namespace strata;
using namespace strata::device;

constexpr const char* kKernels = R"(
struct Adding { VisitedStates visited; u64 n; };
template <class Slots, u32 kWords>
inline void add_all(const Adding& argument) {
  const u64 step = warps() * kLanes;
  for (u64 base = warp() * kLanes; base < argument.n; base += step) {
    const u64 i = base + lane();
    u64 state[kWords];
    for (u32 k = 0; k < kWords; ++k) state[k] = mixed(i + k + 1) >> 1;
    Slots::add(argument.visited, state, i < argument.n);
  }
}
KERNEL(slots1, Adding) { add_all<StateSlots<1>, 1>(argument); }
KERNEL(slots2, Adding) { add_all<StateSlots<2>, 2>(argument); }
KERNEL(places1, Adding) { add_all<PlaceSlots<1>, 1>(argument); }
KERNEL(places2, Adding) { add_all<PlaceSlots<2>, 2>(argument); }
KERNEL(places5, Adding) { add_all<PlaceSlots<5>, 5>(argument); }
KERNEL(places16, Adding) { add_all<PlaceSlots<16>, 16>(argument); }
)";

constexpr unsigned kThreads = 256;
constexpr double kLoad = 0.7;

struct Form {
  const char* kernel;
  uint64_t words, slot_bytes;
};

struct Adding {
  Address slots;
  uint64_t buckets;
  Address list;
  uint64_t capacity;
  Address count, on_way, full;
  uint64_t n;
};

void measure(Device& device, Program& program, const Form& form, double gib) {
  const Result<Kernel> kernel = program.kernel(form.kernel, kThreads);
  if (!kernel.ok()) return void(fmt::print("{}: {}\n", form.kernel, kernel.status().message()));
  const uint64_t buckets = static_cast<uint64_t>(gib * (1 << 30)) / 64;
  const auto states = static_cast<uint64_t>(static_cast<double>(buckets * (64 / form.slot_bytes)) * kLoad);
  const uint64_t blocks = uint64_t{kernel->blocks} * device.info().processors;
  Result<Memory> slots = Memory::allocate(device, buckets * 64);
  Result<Memory> list = Memory::allocate(device, states * form.words * 8);
  Result<Memory> counts = Memory::allocate(device, 16);
  Result<Memory> on_way = Memory::allocate(device, blocks * kThreads * form.words * 8);
  for (const Result<Memory>* memory : {&slots, &list, &counts, &on_way})
    if (!memory->ok()) return void(fmt::print("{}: {}\n", form.kernel, memory->status().message()));
  const Adding adding{slots->address(),  buckets,           list->address(),       states,
                      counts->address(), on_way->address(), counts->address() + 8, states};
  double seconds[2] = {};
  for (int round = -1; round < 2; ++round) {
    if (round <= 0) {
      (void)device.fill(slots->address(), 0, slots->bytes());
      (void)device.fill(counts->address(), 0, 16);
    }
    const Result<Moment> before = device.mark();
    const Status launched = device.launch(*kernel, {blocks, kThreads}, &adding, sizeof adding);
    const Result<Moment> after = device.mark();
    if (!launched.ok()) return void(fmt::print("{}: {}\n", form.kernel, launched.message()));
    const Result<double> took = device.seconds(*before, *after);
    if (!took.ok()) return void(fmt::print("{}: {}\n", form.kernel, took.status().message()));
    if (round >= 0) seconds[round] = *took;
  }
  uint64_t found[2] = {};
  (void)device.copy_from(found, counts->address(), sizeof found);
  const double all = static_cast<double>(states) / 1e9;
  fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {} |\n", form.kernel, form.words * 8, gib,
             kernel->registers, kernel->local_bytes, all / seconds[0], all / seconds[1],
             found[0] == states && found[1] == 0
                 ? ""
                 : fmt::format("WRONG: {} of {}, full {}", found[0], states, found[1]));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: visited_bench GIB_OF_TABLE [DEVICE]\n"), 2;
  const Result<DeviceChoice> choice = parse_device(argc > 2 ? argv[2] : "auto");
  if (!choice.ok()) return std::fprintf(stderr, "%s\n", choice.status().message().c_str()), 2;
  Result<std::unique_ptr<Device>> device = open_device(*choice, {});
  if (!device.ok()) return std::fprintf(stderr, "%s\n", device.status().message().c_str()), 1;
  const std::string text =
      std::string(strata::embedded::kLaneText) + strata::embedded::kVisitedText + kKernels;
  const Result<std::string> image = (*device)->compile({text, {}, false});
  if (!image.ok()) return std::fprintf(stderr, "%s\n", image.status().message().c_str()), 1;
  const Result<std::unique_ptr<Program>> program = (*device)->load(*image);
  if (!program.ok()) return std::fprintf(stderr, "%s\n", program.status().message().c_str()), 1;
  fmt::print(
      "{}, {}\n\n| form | state | GiB | registers | local | new, G/s | there, G/s | "
      "|\n|---|---|---|---|---|---|---|---|\n",
      (*device)->info().name, (*device)->info().driver);
  constexpr Form kForms[] = {{"slots1", 1, 8},  {"slots2", 2, 16}, {"places1", 1, 8},
                             {"places2", 2, 8}, {"places5", 5, 8}, {"places16", 16, 8}};
  for (const Form& form : kForms) measure(**device, **program, form, std::atof(argv[1]));
  return 0;
}
