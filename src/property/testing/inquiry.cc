#include "property/testing/inquiry.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "liveness/cycle_algorithms.h"
#include "property/ask/ask.h"
#include "property/ask/fit_algorithm.h"

namespace strata {

Inquiry::Inquiry(ModelLoader load) : load_(std::move(load)) {
  options.memory = uint64_t{64} << 20;
  options.disk.disks = {std::filesystem::temp_directory_path().string()};
}

Inquiry::Inquiry(Graph graph)
    : Inquiry(ModelLoader([graph](const LoadRequest& request) -> Result<std::unique_ptr<Model>> {
        Graph loaded = graph;
        if (!request.goals) loaded.goals = 0;
        return std::unique_ptr<Model>(std::make_unique<ExplicitGraphModel>(std::move(loaded)));
      })) {}

Inquiry& Inquiry::formula(const std::string& text) {
  question_.formulas = {SourceFile("--ltl", text)};
  return *this;
}

Inquiry& Inquiry::automaton(const std::string& text) {
  question_.automaton = SourceFile("a.hoa", text);
  return *this;
}

Inquiry& Inquiry::fair() {
  question_.fairness = {FairnessRequest()};
  return *this;
}

Inquiry& Inquiry::algorithm(const std::string& name) {
  algorithm_ = name;
  return *this;
}

ModelLoader Inquiry::loader() {
  return [this](const LoadRequest& request) {
    requests_.push_back(request);
    return load_(request);
  };
}

Result<Task> Inquiry::ask() { return strata::ask(question_, loader()); }

Result<const Algorithm*> Inquiry::fit() {
  Result<Task> task = ask();
  if (!task.ok()) return task.status();
  task_ = std::move(*task);
  return fit_algorithm(*task_, *find_row(all_algorithms(), algorithm_), options, deadlock);
}

Result<Answer> Inquiry::answer() {
  const Result<const Algorithm*> fitting = fit();
  if (!fitting.ok()) return fitting.status();
  options.deadlock = deadlock.value_or(task_->deadlock());
  ProgressBoard progress;
  const auto run = [this](const Algorithm& row, const SearchContext& context) {
    runs_.emplace_back(row.name);
    return row.run(context);
  };
  return find_answer(*task_, **fitting, {task_->searched(), options, progress, stop}, loader(), run);
}

void connect(Graph& graph, uint32_t from, std::initializer_list<uint32_t> to) {
  if (graph.initial.empty()) graph.initial = {0};
  for (const uint32_t node : to) {
    if (graph.nodes.size() <= std::max(from, node)) graph.nodes.resize(std::max(from, node) + 1);
    graph.nodes[from].edges.push_back({node, node, false});
  }
}

}  // namespace strata
