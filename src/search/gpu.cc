// `gpu`: breadth-first search on a device, such as a GPU, with all states in its memory; or, when that is full, with
// the early states there and the others in the memory of the host and on disk (search/beyond/beyond_search.h).
//
// Idea. The model offers its rules as text for a device (DeviceModel), which is compiled together with the kernels of
// src/device/kernels when the search begins. The visited states are a table of slots and a list in the order of
// discovery, so a level is a range of the list, and the search needs no queue (visited.cuh). A search is
//
//   add the start states, which the host's model gives                                     level 0
//   while the last level is not empty:
//     expand: warps take states of the level, check the properties, fire the rules,
//             add the successors to the visited states, count, and flag states             on the device
//     read the counts; look at the flagged states with the host's model                    on the host
//     a failure ends the search when its level is done (with --max-errors, the search may continue)
//
// The device flags each state at which something is wrong or is to be seen for the first time. The host expands
// these states once more, by the same code as `ram`, so which errors are reported, their order and their messages
// are those of `ram`. Where more states are flagged than there is room for, the host goes over all of that part of
// the level.
//
// A quotient by symmetry offers text that chooses a representative of each orbit, which the kernels keep in the place
// of the successor.
//
// Small levels are expanded in courses of up to 16, whose bounds are kept on the device: the host hears of them
// together. Large ones are expanded in stretches of about a tenth of a second, so that limits and signals are heard.
//
// A table begins small, because a small table is faster and need not be cleared as a whole, and is made again from the
// list, sixteen times as large, when it is half full. A step that found no room is undone and repeated.
//
// When the device's memory is full, the search continues, and states may be found late; with --set beyond=exact it
// continues level by level, and with beyond=off it ends incomplete.
//
// Traces are found as those of `ram`, by going back level by level (trace_back.h). The device finds the few states
// that may lead to the wanted ones, and the host expands only these: so the path is the same, too.
//
// Memory of the device. With states of at most 127 bits: 8 or 16 bytes for each in the list, and as much again,
// divided by the load, in the table. Others: their words in the list, 9.4 bytes in the table. The host needs a few
// MiB.
//
// What ends it. If the memory of the device, that of the host and the disk are full, the search ends incomplete. A
// device that fails ends it with an error. Several processes and signatures are for other algorithms.
//
// Checkpoints. Those of `auto` in RAM (engine/ram/ram_image.h), so each continues what the other has begun.
#include <optional>
#include <utility>

#include "device/contract/device.h"
#include "engine/contract/parameters.h"
#include "search/algorithms.h"
#include "search/beyond/beyond_search.h"
#include "search/beyond/device_loader.h"
#include "search/beyond/resting_beyond.h"
#include "search/continue_auto.h"
#include "search/device/device_search.h"
#include "search/device/resting_device.h"

namespace strata {

namespace {

Status refused(const SearchContext& context) {
  if (context.device == nullptr || context.device->device == nullptr)
    return Status::usage("it searches on a device, such as a GPU; name one with --device");
  if (context.exchange != nullptr)
    return Status::usage("several processes cannot share a search on a device");
  if (!context.options.store.exact())
    return Status::usage("a search on a device keeps states exactly; leave --store signatures out");
  if (context.model.capabilities().device == nullptr)
    return Status::usage(
        "no device can run this model: a device searches only models that are compiled from text, without "
        "an automaton");
  return {};
}

// What the host and the device agreed on for a model.
struct Setup {
  DeviceCode code;
  KernelShape shape;
  std::unique_ptr<BetterKernels> better;
  std::optional<DeviceKernels> kernels;
  DevicePlan plan;
  std::optional<DeviceStates> states;
};

Status make_plan(const SearchDevice& use, Setup& setup) {
  const Result<uint64_t> available = use.device->free_memory();
  if (!available.ok()) return available.status();
  DevicePlanInput input;
  input.memory = usable_device_memory(*available, use.memory);
  input.shape = setup.shape;
  input.lanes = setup.kernels->most_lanes();
  input.warps = setup.kernels->most_warps();
  input.lanes_with_memory = use.device->info().lanes_with_memory(input.lanes);
  input.local_bytes = setup.kernels->local_bytes();
  input.rules = setup.code.rules;
  input.notes = setup.code.notes;
  input.data = setup.code.data.size() * sizeof(uint64_t);
  setup.plan = plan_device(input);
  if (setup.plan.shares.fits()) return {};
  return Status::limit(
      fmt::format(
          "the memory of the device ({}) is too small: it has no room for the {}; free some, give more with "
          "--device-memory, or search without --device",
          use.device->info().name, setup.plan.shares.tight()),
      Reason::memory_of_device);
}

Result<std::unique_ptr<Setup>> set_up(const SearchContext& context) {
  context.progress.phase("compiling for the device");
  const ModelInfo& info = context.model.info();
  Result<DeviceCode> code = context.model.capabilities().device->device_code();
  if (!code.ok()) return code.status();
  if (code->rules < info.rules.size() || code->state_words * sizeof(uint64_t) < info.state_bytes)
    return Status::internal(
        "the text of the model for a device lacks rules or words of its states; please report "
        "this as a bug of strata");
  auto made = std::make_unique<Setup>();
  Setup& setup = *made;
  setup.code = std::move(*code);
  if (context.device->tree != nullptr) setup.code.tree = *context.device->tree;
  setup.shape = kernel_shape(setup.code, info.state_bits, context.device->device->info());
  setup.better = std::make_unique<BetterKernels>(*context.device->device, context.device->kernels, setup.code,
                                                 setup.shape);
  Result<DeviceKernels> kernels =
      setup.better->first(parameter<double>(context.options, "patience"), context.stop);
  if (!kernels.ok()) return kernels.status();
  setup.kernels.emplace(std::move(*kernels));
  if (Status status = make_plan(*context.device, setup); !status.ok()) return status;
  setup.states.emplace(*context.device->device, *setup.kernels, setup.code, setup.shape, info.state_bytes);
  if (Status status = setup.states->prepare(setup.plan, context.options.deadlock); !status.ok())
    return status;
  return made;
}

DeviceReport report_of(const device::DeviceInfo& device, const Setup& setup, const DeviceStates& states) {
  DeviceReport report;
  report.name = device.name;
  report.driver = device.driver;
  report.architecture = device.architecture;
  report.memory = device.memory;
  report.used = states.bytes();
  report.plan = setup.plan.shares.shares();
  report.compile_seconds = setup.kernels->compile_seconds();
  report.kernels_found = setup.kernels->found();
  report.kernels_swapped = setup.kernels->swapped();
  report.registers = setup.kernels->firing().registers;
  report.local_bytes = setup.kernels->firing().local_bytes;
  report.blocks = uint64_t{setup.kernels->firing().blocks} * device.processors;
  report.table_load = states.load();
  report.capacity = states.capacity();
  report.slots = form_name(setup.shape.slots);
  return report;
}

// A search whose parts are set up.
class GpuSearch {
 public:
  GpuSearch(DiskRun& run, SearchPhase& phase, Setup& setup)
      : run_(run),
        phase_(phase),
        setup_(setup),
        device_(*run.context.device->device),
        states_(*setup.states),
        search_(run, states_, device_.info(), *setup.kernels, *setup.better),
        image_(run) {}

  Result<SearchResult> run();

 private:
  bool saves() const { return run_.context.checkpoints != nullptr; }
  Status prepare();
  void serialize(Image& image);
  void search();
  Result<SearchResult> finish();
  bool go_beyond();
  Status begin_beyond();

  DiskRun& run_;
  SearchPhase& phase_;
  Setup& setup_;
  device::Device& device_;
  DeviceStates& states_;
  DeviceSearch search_;
  RamImage image_;
  std::unique_ptr<BeyondSearch> beyond_;
  bool loaded_ = true;  // no: the states of the checkpoint have no room
};

Result<SearchResult> GpuSearch::run() {
  if (Status status = prepare(); !status.ok()) return status;
  search();
  const bool beyond = beyond_ && beyond_->began();
  Result<SearchResult> result = finish();
  if (!result.ok()) return result;
  if (!beyond) phase_.say_how_late(*result);
  result->device = report_of(device_.info(), setup_, states_);
  if (beyond) beyond_->describe(*result->device);
  if (setup_.shape.folds())
    result->folding = {sizeof(uint64_t), setup_.code.tree.words, states_.nodes(), states_.node_bytes()};
  return result;
}

Status GpuSearch::prepare() {
  const uint64_t kept = saves() ? RamImage::bytes(run_.plan_input()) : 0;
  if (Status status = search_.prepare(kept); !status.ok() || !saves()) return status;
  const bool resumes = run_.resumes();
  if (Status status = image_.open(); !status.ok()) return status;
  const Status status = run_.save_with([this](Image& image) { serialize(image); });
  if (!status.ok() || !resumes) return status;
  const auto further = [this] { return go_beyond() ? beyond_.get() : nullptr; };
  DeviceLoader(run_, search_, states_, further).load(image_);
  loaded_ = run_.stopped() == StopReason::none;
  return {};
}

void GpuSearch::serialize(Image& image) {
  if (image.restores()) return image_.restore(image);
  RestingDevice on_device(search_);
  if (!beyond_ || !beyond_->began()) return image_.serialize(on_device, image);
  RestingBeyond beyond(*beyond_);
  image_.serialize(beyond, image);
}

void GpuSearch::search() {
  if (!loaded_) return;
  if (!beyond_ && (search_.search() || !go_beyond())) return;
  beyond_->search();
}

Result<SearchResult> GpuSearch::finish() {
  if (beyond_ && beyond_->began() && loaded_) return beyond_->finish();
  if (loaded_) return search_.finish();
  NumberList levels = image_.sizes();
  const uint64_t states = run_.context.progress.states;
  if (states > levels.sum()) levels.push_back(states - levels.sum());
  return run_.SearchRun::finish({states, levels, {}}, nullptr);
}

// Continues a search for which the device has no more memory. False: it cannot go on, and ends incomplete.
bool GpuSearch::go_beyond() {
  const Status status = begin_beyond();
  if (status.ok()) return true;
  const bool on_device = !beyond_ || !beyond_->began();
  const bool savable = on_device && run_.saving().state() != SavingState::restoring;
  if (status.code() == StatusCode::limit) {
    if (savable) search_.save();
    search_.fail("; " + status.message());
    return false;
  }
  if (status.code() == StatusCode::interrupted && savable) search_.rest_if_wanted();
  if (status.code() != StatusCode::interrupted || !run_.halted()) run_.fail(status);
  return false;
}

Status GpuSearch::begin_beyond() {
  if (parameter<std::string>(run_.options, "beyond") == "off")
    return Status::limit("with --set beyond=free the search continues in the memory of the host and on disk");
  beyond_ = std::make_unique<BeyondSearch>(BeyondSearch::Parts{run_, search_, states_, device_,
                                                               run_.context.device->kernels, setup_.code,
                                                               *setup_.kernels, phase_.excess});
  const Status status = beyond_->begin();
  if (status.code() != StatusCode::limit) return status;
  return Status::limit("it could not continue with the memory of the host: " + status.message(),
                       status.reason());
}

// The checkpoint of a search that only the processor can continue.
Result<SearchResult> continue_on_processor(DiskRun& run, SearchPhase& phase) {
  run.context.checkpoints->say("the search is on disk, where the processor continues it");
  return continue_auto(run, phase, with_defaults(*find_algorithm("auto"), run.options));
}

}  // namespace

Result<SearchResult> search_gpu(const SearchContext& context) {
  const bool resumes = context.checkpoints != nullptr && context.checkpoints->restoring();
  // Nothing else can continue what the processor has folded.
  if (context.device == nullptr && resumes) return find_algorithm("auto")->run(context);
  if (Status status = refused(context); !status.ok()) return status;
  // A search that is on disk needs no kernels.
  Result<std::unique_ptr<Setup>> setup(nullptr);
  if (!resumes) setup = set_up(context);
  if (!setup.ok()) return setup.status();
  DiskRun run(context);
  SearchPhase phase;
  const std::unique_ptr<Checkpoints::Part> part = phase.add_to(context.checkpoints);
  if (phase.on_disk) return continue_on_processor(run, phase);
  if (resumes) setup = set_up(context);
  if (!setup.ok()) return setup.status();
  return GpuSearch(run, phase, **setup).run();
}

}  // namespace strata
