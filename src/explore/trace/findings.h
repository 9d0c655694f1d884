// The failures that a search met, best first, no more than are asked for. Their order does not depend on threads or
// timing, so every run chooses the same ones: the shortest, and among equals the first by kind, property or place in
// the model, bytes of the state, and rule.
#pragma once

#include <cstdint>
#include <map>
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

  // `state` may be null, for a start state whose code failed.
  void add(uint64_t level, const Failure& failure, const uint8_t* state, uint64_t state_bytes);
  void merge(const Findings& other);

  bool complete() const { return found_.size() >= limit_; }
  const std::set<Finding>& all() const { return found_; }

 private:
  void insert(Finding finding);

  uint64_t limit_;
  std::set<Finding> found_;
  // A search that revisits states meets a failure again, farther from the start; it counts once.
  using Identity = std::tuple<Failure::Kind, uint32_t, uint32_t, std::vector<uint8_t>>;
  static Identity identity(const Finding& finding) {
    return {finding.failure.kind, finding.failure.detail, finding.failure.rule, finding.state};
  }
  std::map<Identity, std::set<Finding>::iterator> known_;
};

}  // namespace strata
