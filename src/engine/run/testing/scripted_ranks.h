// For tests: ranks that say what a test wants.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ranks/search_ranks.h"

namespace strata {

class ScriptedRanks final : public SearchRanks {
 public:
  uint64_t count() const override { return 2; }
  void sum(std::span<uint64_t>) const override {}
  void largest(std::span<uint64_t> values) const override {
    for (uint64_t i = 0; i < values.size() && i < others_largest.size(); ++i)
      values[i] = std::max(values[i], others_largest[i]);
  }
  uint64_t least(uint64_t value) const override { return value; }
  std::vector<std::string> all(const std::string& own) const override { return {own, other_text}; }
  Heard heard() const override { return hears; }
  void call_end() const override { ++calls; }
  bool all_called() const override { return true; }
  Status status() const override { return Status::system("rank 1 died"); }
  void fail(const Status&) const override {}
  std::string named(uint64_t rank, const std::string& message) const override {
    if (message.starts_with("rank ")) return message;
    return "rank " + std::to_string(rank) + ": " + message;
  }
  void wait() const override {}
  void end_sends() const override {}
  bool round_over() const override { return true; }
  Status end_round() const override { return {}; }

  Heard hears = Heard::nothing;
  std::vector<uint64_t> others_largest;  // what another rank says in largest()
  std::string other_text;                // and in all()
  mutable int calls = 0;                 // of call_end()
};

}  // namespace strata
