#include "property/ask/ask.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/checks.h"
#include "ltl/format/read.h"
#include "ltl/formula/formula_parser.h"
#include "ltl/translate/translate.h"
#include "view/invariant.h"
#include "view/product.h"

namespace strata {
namespace {

using Kind = Task::Kind;

Status load_into(Task& task, const ModelLoader& load, const LoadRequest& request) {
  Result<std::unique_ptr<Model>> model = load(request);
  if (!model.ok()) return model.status();
  task.model = std::move(*model);
  task.views = ViewStack(*task.model, !request.propositions.empty() || request.goals);
  return {};
}

// The condition, if the property says that a condition holds in every state; otherwise null.
ltl::Formula always_condition(ltl::FormulaPool& pool, const ltl::Property& property) {
  if (property.kind == ltl::Property::Kind::all_always) return property.formula;
  if (property.kind == ltl::Property::Kind::exists_eventually) return pool.negation(property.formula);
  const ltl::Formula f = property.formula;
  return ltl::is_always(f) && f->operands[1]->propositional ? f->operands[1] : nullptr;
}

std::string message_of(const SourceFile& formula) {
  return fmt::format("The formula fails: {}", formula.text());
}

void view_conditions(std::vector<StateCondition> conditions, InvariantModel::Own own, Task& task) {
  task.views.add(
      [&](const Model& model) { return std::make_unique<InvariantModel>(model, conditions, own); });
}

void view_invariant(const ltl::Property& property, ltl::Formula condition, Task& task) {
  const bool reach = property.kind == ltl::Property::Kind::exists_eventually;
  task.kind = reach ? Kind::reachability : Kind::invariant;
  task.note = reach ? "the formula asks for a state, so it is checked by a safety search"
                    : "the formula is about each state by itself, so it is checked as an invariant";
  view_conditions({{condition, task.message}}, InvariantModel::Own::hidden, task);
}

void view_recurrence(const ltl::Property& property, Task& task) {
  task.kind = Kind::recurrence;
  task.note = "the formula asks what every state can reach, which has a search of its own";
  view_conditions({{property.formula, task.message}}, InvariantModel::Own::hidden, task);
}

Status view_product(FinitePaths finite_paths, Task& task) {
  const Result<ltl::Automaton> automaton = ltl::translate(*task.pool, task.pool->negation(task.formula));
  if (!automaton.ok()) return automaton.status();
  task.kind = Kind::liveness;
  task.note = "the model's invariants and deadlocks are not checked, only the formula (--safety checks both)";
  task.views.add(
      [&](const Model& model) { return std::make_unique<ProductModel>(model, *automaton, finite_paths); });
  return {};
}

// A request for the propositions of the pool. `places`: where those of the formula are, as far as they occur there.
LoadRequest request_for(const ltl::FormulaPool& pool, const SourceFile& formula, std::vector<size_t> places) {
  LoadRequest request;
  request.propositions = pool.propositions();
  request.formula = &formula;
  request.places = std::move(places);
  request.places.resize(request.propositions.size());
  return request;
}

// A pool with the propositions of the question.
std::unique_ptr<ltl::FormulaPool> pool_for(const Question& question) {
  auto pool = std::make_unique<ltl::FormulaPool>();
  for (const std::string& text : question.propositions) pool->proposition(text);
  return pool;
}

Result<Task> ask_formula(const Question& question, const ModelLoader& load) {
  Task task;
  task.pool = pool_for(question);
  const SourceFile& formula = question.formulas.front();
  const Result<ltl::Property> property = ltl::parse_property(formula, *task.pool);
  if (!property.ok()) return property.status();
  task.property = fmt::format("LTL {}", formula.text());
  task.message = message_of(formula);
  task.formula = property->formula;
  const LoadRequest request = request_for(*task.pool, formula, property->places);
  task.propositions = request.propositions;
  if (Status status = load_into(task, load, request); !status.ok()) return status;
  if (property->kind == ltl::Property::Kind::always_reachable) {
    view_recurrence(*property, task);
  } else if (const ltl::Formula condition = always_condition(*task.pool, *property)) {
    view_invariant(*property, condition, task);
  } else if (Status status = view_product(question.finite_paths, task); !status.ok()) {
    return status;
  }
  return task;
}

// Several formulas, all about states or all of the form AG EF p; with the model's own properties or without.
Result<Task> ask_together(const Question& question, const ModelLoader& load) {
  Task task;
  task.pool = pool_for(question);
  std::vector<StateCondition> conditions;
  size_t recurrent = 0;
  for (const SourceFile& formula : question.formulas) {
    const Result<ltl::Property> property = ltl::parse_property(formula, *task.pool);
    if (!property.ok()) return property.status();
    const bool reachable = property->kind == ltl::Property::Kind::always_reachable;
    recurrent += reachable ? 1 : 0;
    const ltl::Formula condition = reachable ? property->formula : always_condition(*task.pool, *property);
    STRATA_CHECK(condition != nullptr);
    conditions.push_back({condition, message_of(formula)});
    task.property += fmt::format("{}LTL {}", task.property.empty() ? "" : "; ", formula.text());
  }
  STRATA_CHECK(recurrent == 0 || (recurrent == conditions.size() && !question.model));
  const LoadRequest request = request_for(*task.pool, question.formulas.front(), {});
  task.propositions = request.propositions;
  if (Status status = load_into(task, load, request); !status.ok()) return status;
  task.kind = recurrent != 0 ? Kind::recurrence : question.model ? Kind::safety : Kind::invariant;
  task.own_too = question.model;
  view_conditions(std::move(conditions),
                  question.model ? InvariantModel::Own::checked : InvariantModel::Own::hidden, task);
  return task;
}

Result<Task> ask_automaton(const Question& question, const ModelLoader& load) {
  Result<ltl::Automaton> read = ltl::read_automaton(*question.automaton);
  if (!read.ok()) return read.status();
  ltl::Automaton automaton = ltl::prepare(std::move(*read));
  const std::string& name = question.automaton->name();
  Task task;
  task.kind = Kind::liveness;
  task.property = "automaton " + name;
  task.message = fmt::format("The automaton \"{}\" accepts a path.", name);
  task.note =
      "the model's invariants and deadlocks are not checked, only the automaton (--safety checks both)";
  LoadRequest request;
  request.propositions = task.propositions = automaton.propositions;
  if (Status status = load_into(task, load, request); !status.ok()) return status;
  task.views.add([&](const Model& model) {
    return std::make_unique<ProductModel>(model, automaton, question.finite_paths);
  });
  return task;
}

Result<Task> ask_model(const Question& question, const ModelLoader& load) {
  Task task;
  LoadRequest request;
  request.propositions = question.propositions;
  request.goals = true;
  if (Status status = load_into(task, load, request); !status.ok()) return status;
  if (!task.model->info().has_accepting) return task;
  task.kind = Kind::own_automaton;
  task.property = "the property process";
  task.message = "The property process accepts a path.";
  return task;
}

// Restricts a search for cycles to fair paths. An invariant does not need that: every path to a state can be continued
// fairly.
Status add_fairness(const std::vector<FairnessRequest>& requests, Task& task) {
  if (task.kind == Kind::safety) {
    return Status::usage(fmt::format(
        "--fairness {}: it is about infinite paths, which only a formula speaks of (--ltl, --automaton, "
        "--property, or a property process)",
        requests.front().text()));
  }
  const Result<FairGroups> groups = FairGroups::make(*task.model, requests);
  if (!groups.ok()) return groups.status();
  if (!task.seeks_cycles()) return {};
  task.fair = static_cast<const FairModel*>(
      &task.views.add([&](const Model& model) { return std::make_unique<FairModel>(model, *groups); }));
  task.fairness = groups->words();
  const bool plain = requests.size() == 1 && requests[0].text() == "weak";
  task.property += plain ? ", with weak fairness" : ", with fairness " + task.fairness;
  task.note +=
      fmt::format("{}only paths that are fair count: {}", task.note.empty() ? "" : "; ", task.fairness);
  return {};
}

}  // namespace

static_assert(kMostPropositions == ltl::FormulaPool::kMaximumPropositions);

Result<LoadRequest> propositions_of(const SourceFile& formula) {
  ltl::FormulaPool pool;
  const Result<ltl::Property> property = ltl::parse_property(formula, pool);
  if (!property.ok()) return property.status();
  return request_for(pool, formula, property->places);
}

Result<Task> ask(const Question& question, const ModelLoader& load) {
  const bool together = question.formulas.size() + (question.model ? 1 : 0) > 1;
  Result<Task> task = question.automaton          ? ask_automaton(question, load)
                      : question.formulas.empty() ? ask_model(question, load)
                      : together                  ? ask_together(question, load)
                                                  : ask_formula(question, load);
  if (!task.ok() || question.fairness.empty()) return task;
  if (Status status = add_fairness(question.fairness, *task); !status.ok()) return status;
  return task;
}

}  // namespace strata
