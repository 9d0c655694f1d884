// For tests of plans: inputs from the smallest to the largest, and what every plan must satisfy.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/plan/memory_plan.h"

namespace strata {

inline std::vector<uint64_t> plan_memories() {
  constexpr uint64_t kKiB = 1 << 10, kMiB = 1 << 20, kGiB = 1 << 30;
  return {64 * kKiB, 128 * kKiB, kMiB, 16 * kMiB, 64 * kMiB, kGiB, 64 * kGiB, 1024 * kGiB};
}

// Inputs of one size of memory.
inline std::vector<PlanInput> plan_inputs(uint64_t memory) {
  std::vector<PlanInput> inputs;
  for (const unsigned threads : {1u, 2u, 16u, 128u, 1024u})
    for (const uint64_t bytes : {1u, 13u, 142u, 1100u, 50000u})
      for (const bool signatures : {false, true})
        inputs.push_back({memory, threads, bytes, signatures ? 8 : bytes, signatures, 300, 0});
  return inputs;
}

inline std::string text_of(const PlanInput& input, const MemoryPlan& plan) {
  std::string text = std::to_string(input.memory) + " bytes, " + std::to_string(input.threads) +
                     " threads, states of " + std::to_string(input.state_bytes) +
                     (input.signatures ? ", signatures:" : ":");
  for (const auto& [name, bytes] : plan.shares()) text += " " + name + " " + std::to_string(bytes);
  return plan.fits() ? text : text + "; no room for " + plan.tight();
}

inline uint64_t share_of(const MemoryPlan& plan, const std::string& name) {
  for (const auto& [own, bytes] : plan.shares())
    if (own == name) return bytes;
  return 0;
}

// Makes plans of all inputs and calls check(input, plan) for those that fit. If one does not fit, it must name a memory
// with which it does. The last share never shrinks from one size of memory to the next.
template <class Planner, class Check>
void check_plans(const Planner& plan, const std::string& last, const Check& check) {
  const auto check_fitting = [&](const PlanInput& input, const auto& made) {
    SCOPED_TRACE(text_of(input, made.shares));
    ASSERT_TRUE(made.shares.fits());
    EXPECT_LE(made.shares.total(), input.memory);
    EXPECT_GT(share_of(made.shares, last), 0u);
    check(input, made);
  };
  std::vector<uint64_t> before(plan_inputs(0).size());
  for (const uint64_t memory : plan_memories()) {
    const std::vector<PlanInput> inputs = plan_inputs(memory);
    for (uint64_t i = 0; i < inputs.size(); ++i) {
      PlanInput input = inputs[i];
      auto made = plan(input);
      if (!made.shares.fits()) {
        EXPECT_LE(made.shares.total(), memory) << text_of(input, made.shares);
        EXPECT_LE(memory, uint64_t{16} << 30) << text_of(input, made.shares);
        input.memory = least_memory(plan, input);
        EXPECT_GT(input.memory, memory);
        made = plan(input);
      } else {
        EXPECT_GE(share_of(made.shares, last), before[i]) << text_of(input, made.shares);
        before[i] = share_of(made.shares, last);
      }
      check_fitting(input, made);
    }
  }
}

}  // namespace strata
