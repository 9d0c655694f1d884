// The failures that a search met, best first, and no more than the user wants. Their order does not depend on threads
// or timing, so every run chooses the same ones: the shortest, and among equals the first by kind, property or place in
// the model, bytes of the state, and rule.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "model/model.h"

namespace strata {

struct Finding {
  uint64_t level = 0;  // of the state that failed or whose rule failed
  Failure failure;
  std::vector<uint8_t> state;  // empty: the code of a start state failed

  bool operator<(const Finding& other) const;
};

class Findings {
 public:
  explicit Findings(uint64_t limit) : limit_(limit) {}
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;

  // The memory that one failure takes.
  static constexpr uint64_t bytes_each(uint64_t state_bytes) { return state_bytes + 192; }

  // `state` may be null, for a start state whose code failed.
  void add(uint64_t level, const Failure& failure, const uint8_t* state, uint64_t state_bytes);
  // Moves all failures of `other` here.
  void take(Findings& other);

  bool complete() const { return found_.size() >= limit_; }
  const std::set<Finding>& all() const { return found_; }

 private:
  void insert(Finding finding);

  uint64_t limit_;
  std::set<Finding> found_;
  // A search that revisits states may meet a failure again, farther from the start. It counts once.
  using Place = std::set<Finding>::const_iterator;
  struct Same {
    using is_transparent = void;
    static auto identity(const Finding& finding) {
      return std::tie(finding.failure.kind, finding.failure.detail, finding.failure.rule, finding.state);
    }
    static auto identity(Place place) { return identity(*place); }
    bool operator()(const auto& a, const auto& b) const { return identity(a) < identity(b); }
  };
  std::set<Place, Same> known_;
};

}  // namespace strata
