// For tests: a graph in which one node is the error state that failing rules lead to, as in DVE models.
#pragma once

#include <utility>

#include "model/testing/explicit_graph.h"
#include "view/view.h"

namespace strata {

// The graph below the view.
struct OwnedGraph {
  ExplicitGraphModel graph;
};

class ErrorStateModel final : private OwnedGraph, public View, private ErrorStates {
 public:
  // With `fails`, the error state is a failure. Without, it is an ordinary state, and the model reports that it was
  // reached.
  ErrorStateModel(Graph nodes, uint32_t error, bool fails)
      : OwnedGraph{ExplicitGraphModel(std::move(nodes))}, View(graph), error_(error), fails_(fails) {}

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    View::expand(states, n, out);
    for (uint64_t i = 0; i < out.count && out.report_errors; ++i) {
      if (graph.decode(out.successor(i)) == error_)
        out.failures.push_back({out.parents[i], out.rules[i], Failure::Kind::runtime, kDivision});
    }
    for (uint32_t i = 0; i < out.consumed && fails_ && out.check_properties; ++i) {
      if (graph.decode(states + i * info_.state_bytes) == error_)
        out.failures.push_back({i, kNoRule, Failure::Kind::runtime, kReached});
    }
  }
  Capabilities capabilities() const override {
    Capabilities offered = View::capabilities();
    offered.error_states = this;
    return offered;
  }
  FailureText describe_failure(const Failure& failure) const override {
    if (failure.kind != Failure::Kind::runtime) return View::describe_failure(failure);
    return {FailureText::Verdict::error,
            failure.detail == kDivision ? "Division by zero." : "The error state was reached.",
            {}};
  }

 private:
  bool reached_error_state() const override { return !fails_; }

  static constexpr uint32_t kReached = 0, kDivision = 1;

  const uint32_t error_;
  const bool fails_;
};

}  // namespace strata
