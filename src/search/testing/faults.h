// For tests of searches on disks that fail: a folder of one's own, faults, and what the user has to be told of them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/random.h"
#include "base/testing/test_count.h"
#include "block/testing/storages.h"
#include "search/testing/variants.h"

namespace strata {

// How many runs of each variant; slow builds ask for fewer, ./test --long for more.
inline uint64_t fault_runs() { return test_count("STRATA_FAULT_RUNS", 10); }

struct FaultCase {
  Fault fault;
  std::string text;
};

// One fault among the first operations or the later ones, or many.
inline FaultCase make_faults(FaultPlan& faults, Random& random) {
  const Fault kinds[] = {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write,
                         Fault::flipped_bit};
  const char* names[] = {"read error", "write error", "full disk", "torn write", "flipped bit"};
  const uint64_t kind = random.below(std::size(kinds));
  if (random.chance(75)) {
    const uint64_t passed = random.below(uint64_t{1} << random.below(8));
    faults.fail_once(kinds[kind], passed);
    return {kinds[kind], std::string(names[kind]) + " after " + std::to_string(passed)};
  }
  const double probability = random.chance(50) ? 0.01 : 0.2;
  faults.fail_at_random(kinds[kind], probability, random.next());
  return {kinds[kind], std::string(names[kind]) + " with probability " + std::to_string(probability)};
}

inline SearchOptions faulty_options(const Variant& variant, const std::string& folder, Random& random) {
  SearchOptions options;
  const uint64_t budgets[] = {96 << 10, 128 << 10, 192 << 10, 256 << 10};
  // Less than the process holds already: a search then takes half of it.
  options.memory = 2 * budgets[random.below(std::size(budgets))];
  options.threads = 1 + static_cast<unsigned>(random.below(2));
  options.max_errors = random.chance(25) ? 3 : 1;
  options.deadlock = random.chance(50) ? DeadlockMode::off : DeadlockMode::stuttering;
  if (random.chance(25) && variant.has(trait::signatures)) options.store.signature_bits = 64;
  options.trace = random.chance(80);
  options.parameters = variant.parameters;
  options.disk.disks = {folder};
  options.time_limit = 100;
  return options;
}

// What the user is told: what happened, to which file.
inline void expect_clear(const std::string& message, const FaultCase& plan, const std::string& folder) {
  EXPECT_NE(std::string::npos, message.find(folder + "/strata-run-")) << message;
  const bool full = message.find("the disk is full: ") != std::string::npos;
  const bool error = message.find("Input/output error") != std::string::npos;
  const bool damaged = message.find("the disk or another program changed it") != std::string::npos;
  switch (plan.fault) {
    case Fault::disk_full: EXPECT_TRUE(full) << message; break;
    case Fault::read_error:
    case Fault::write_error: EXPECT_TRUE(error) << message; break;
    default: EXPECT_TRUE(damaged) << message; break;
  }
}

}  // namespace strata
