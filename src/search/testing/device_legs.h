// One run in several legs, for tests: each ends by its time limit and is saved, and the next one continues on a device
// or on the processor, until one gives an answer.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/random.h"
#include "block/testing/storages.h"
#include "search/testing/test_device.h"

namespace strata {

// How often runs went from one place to another.
struct LegTally {
  uint64_t from_device_to_device = 0, from_device_to_processor = 0, from_processor_to_device = 0, to_disk = 0,
           beyond = 0;

  void print() const {
    if (std::getenv("STRATA_TALLY") == nullptr) return;
    std::printf(
        "device to device %lu, device to processor %lu, processor to device %lu, to disk %lu, beyond %lu\n",
        from_device_to_device, from_device_to_processor, from_processor_to_device, to_disk, beyond);
  }
};

class Legs {
 public:
  Legs(const Model& model, const SearchOptions& options, uint64_t seed, LegTally& tally)
      : model_(model), options_(options), random_(seed), tally_(tally) {}

  // Where a leg may be. `memory`: of the device, 0: enough; or of the process.
  void add_device(device::Device& device, uint64_t memory, const StateTree* tree = nullptr) {
    places_.push_back({&device, memory, tree});
  }
  void add_processor(uint64_t memory) { places_.push_back({nullptr, memory, nullptr}); }

  Result<SearchResult> run() {
    const TemporaryFolder folder(true);
    where_.folder = folder.path() + "/run";
    // More time each time, so that it ends.
    for (double limit = 0.0002;; limit *= 1.5) {
      const Result<SearchResult> result = leg(places_[random_.below(places_.size())], limit);
      if (!result.ok() || result->stop != StopReason::time) return result;
    }
  }
  const std::string& story() const { return story_; }
  // Whether the last leg was on disk, so that states may have been late.
  bool on_disk() const { return on_disk_; }

 private:
  struct Place {
    device::Device* device;
    uint64_t memory;
    const StateTree* tree;
  };

  Result<SearchResult> leg(const Place& place, double limit) {
    auto checkpoints = begun_ ? Checkpoints::open(where_) : Checkpoints::create(where_, "a run");
    if (!checkpoints.ok()) return checkpoints.status();
    SearchOptions options = options_;
    options.time_limit = limit;
    options.disk.disks = {std::filesystem::temp_directory_path().string()};
    where_.every = random_.chance(50) ? 0 : 1000;
    const bool on_device = place.device != nullptr;
    if (!on_device) options.memory = place.memory;
    constexpr uint64_t kOfLanes = 64 << 20;
    const uint64_t lanes = on_device && place.memory > 0 && is_gpu(*place.device) ? kOfLanes : 0;
    const SearchDevice use{place.device, place.memory + lanes, &test_kernels(), place.tree};
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    SearchContext context{model_, options, progress, stop};
    context.checkpoints = checkpoints->get();
    if (on_device) context.device = &use;
    note(on_device, place.memory);
    Result<SearchResult> result = find_algorithm(on_device ? "gpu" : "auto")->run(context);
    for (size_t i = 0; result.ok() && i < result->details.size(); ++i) note_detail(result->details[i]);
    begun_ = true;
    return result;
  }

  void note(bool on_device, uint64_t memory) {
    story_ += (on_device ? "device " : "processor ") + std::to_string(memory >> 10) + ", ";
    if (begun_ && was_on_device_ && on_device) ++tally_.from_device_to_device;
    if (begun_ && was_on_device_ && !on_device) ++tally_.from_device_to_processor;
    if (begun_ && !was_on_device_ && on_device) ++tally_.from_processor_to_device;
    was_on_device_ = on_device;
  }
  void note_detail(const std::pair<std::string, SearchResult::Detail>& detail) {
    if (detail.first == "filter_bits_per_state") {
      tally_.to_disk += !on_disk_;
      on_disk_ = true;
    }
    if (detail.first == "beyond_at_states") ++tally_.beyond;
  }

  const Model& model_;
  const SearchOptions options_;
  Random random_;
  LegTally& tally_;
  std::vector<Place> places_;
  Checkpoints::Options where_;
  bool begun_ = false, was_on_device_ = false, on_disk_ = false;
  std::string story_;
};

}  // namespace strata
