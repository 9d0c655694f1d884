#include "property/ask/ask.h"

#include <fmt/format.h>

#include <utility>

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

void view_invariant(const ltl::Property& property, ltl::Formula condition, Task& task) {
  const bool reach = property.kind == ltl::Property::Kind::exists_eventually;
  task.kind = reach ? Kind::reachability : Kind::invariant;
  task.note = reach ? "the formula asks for a state, so it is checked by a safety search"
                    : "the formula is about each state by itself, so it is checked as an invariant";
  task.views.add(
      [&](const Model& model) { return std::make_unique<InvariantModel>(model, condition, task.message); });
}

void view_recurrence(const ltl::Property& property, Task& task) {
  task.kind = Kind::recurrence;
  task.note = "the formula asks what every state can reach, which has a search of its own";
  task.views.add([&](const Model& model) {
    return std::make_unique<InvariantModel>(model, property.formula, task.message);
  });
}

Status view_product(FinitePaths finite_paths, Task& task) {
  const Result<ltl::Automaton> automaton = ltl::translate(*task.pool, task.pool->negation(task.formula));
  if (!automaton.ok()) return automaton.status();
  task.kind = Kind::liveness;
  task.note = "the model's invariants and deadlocks are not checked, only the formula";
  task.views.add(
      [&](const Model& model) { return std::make_unique<ProductModel>(model, *automaton, finite_paths); });
  return {};
}

Result<Task> ask_formula(const Question& question, const ModelLoader& load) {
  Task task;
  task.pool = std::make_unique<ltl::FormulaPool>();
  const Result<ltl::Property> property = ltl::parse_property(*question.formula, *task.pool);
  if (!property.ok()) return property.status();
  const std::string text(question.formula->text());
  task.property = "LTL " + text;
  task.message = fmt::format("The formula fails: {}", text);
  task.formula = property->formula;
  LoadRequest request;
  request.propositions = task.propositions = task.pool->propositions();
  request.formula = &*question.formula;
  request.places = property->places;
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

Result<Task> ask_automaton(const Question& question, const ModelLoader& load) {
  Result<ltl::Automaton> read = ltl::read_automaton(*question.automaton);
  if (!read.ok()) return read.status();
  ltl::Automaton automaton = ltl::prepare(std::move(*read));
  const std::string& name = question.automaton->name();
  Task task;
  task.kind = Kind::liveness;
  task.property = "automaton " + name;
  task.message = fmt::format("The automaton \"{}\" accepts a path.", name);
  task.note = "the model's invariants and deadlocks are not checked, only the automaton";
  LoadRequest request;
  request.propositions = task.propositions = automaton.propositions;
  if (Status status = load_into(task, load, request); !status.ok()) return status;
  task.views.add([&](const Model& model) {
    return std::make_unique<ProductModel>(model, automaton, question.finite_paths);
  });
  return task;
}

Result<Task> ask_model(const ModelLoader& load) {
  Task task;
  LoadRequest request;
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
Status add_fairness(Task& task) {
  if (task.kind == Kind::safety) {
    return Status::usage(
        "--fairness weak: it is about infinite paths, which only a formula speaks of (--ltl, --automaton, "
        "--property, or a "
        "property process)");
  }
  if (!task.seeks_cycles()) return {};
  task.fair = static_cast<const FairModel*>(
      &task.views.add([](const Model& model) { return std::make_unique<FairModel>(model); }));
  task.property += ", with weak fairness";
  task.note += fmt::format("{}only paths that are fair to {} processes count", task.note.empty() ? "" : "; ",
                           task.model->info().processes);
  return {};
}

}  // namespace

Result<Task> ask(const Question& question, const ModelLoader& load) {
  Result<Task> task = question.automaton ? ask_automaton(question, load)
                      : question.formula ? ask_formula(question, load)
                                         : ask_model(load);
  if (!task.ok() || !question.weak_fairness) return task;
  if (Status status = add_fairness(*task); !status.ok()) return status;
  return task;
}

}  // namespace strata
