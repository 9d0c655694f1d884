// For the tests of property/: a question asked of a graph, step by step as `check` does it.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/contract/algorithm.h"
#include "model/testing/explicit_graph.h"
#include "property/answer/answer.h"
#include "property/ask/question.h"
#include "property/ask/task.h"

namespace strata {

class Inquiry {
 public:
  // Proposition i of a formula is bit i of a node, whatever it is called.
  explicit Inquiry(Graph graph);
  // Another model.
  explicit Inquiry(ModelLoader load);

  Inquiry& formula(const std::string& text);
  Inquiry& automaton(const std::string& text);  // called a.hoa
  Inquiry& fair();
  Inquiry& algorithm(const std::string& name);

  // Each step includes the steps before it. The status is that of the first step that fails.
  Result<Task> ask();
  // The algorithm that fits. The task is kept.
  Result<const Algorithm*> fit();
  Result<Answer> answer();

  SearchOptions options;
  std::optional<DeadlockMode> deadlock;
  std::atomic<bool> stop{false};

  const Task& task() const { return *task_; }
  const std::vector<LoadRequest>& requests() const { return requests_; }
  // The names of the algorithms that were run.
  const std::vector<std::string>& runs() const { return runs_; }

 private:
  // Loads the model and records the request.
  ModelLoader loader();

  ModelLoader load_;
  Question question_;
  std::string algorithm_ = "auto";
  std::optional<Task> task_;
  std::vector<LoadRequest> requests_;
  std::vector<std::string> runs_;
};

// Node `from` leads to the nodes `to`, by rules with the same numbers.
void connect(Graph& graph, uint32_t from, std::initializer_list<uint32_t> to);

}  // namespace strata
