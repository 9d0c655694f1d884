#include "tool/command/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "liveness/algorithms.h"
#include "liveness/recurrence.h"
#include "ltl/automaton/translate.h"
#include "ltl/format/read.h"
#include "ltl/formula/lasso_word.h"
#include "ltl/formula/parser.h"
#include "tool/command/load_model.h"
#include "tool/command/run_search.h"
#include "view/invariant.h"

namespace strata {
namespace {

using Kind = Task::Kind;

constexpr const char* kFormulaNote = "the model's invariants and deadlocks are not checked, only the formula";

FinitePaths finite_paths(const Options& options) {
  return options.ignore_finite ? FinitePaths::ignore : FinitePaths::stutter;
}

// DiVinE's formulas have operators and names without a blank between them: Fp is F p where p is a condition and Fp is none.
std::string separated(const ir::Program& program, const std::string& text) {
  const auto is_condition = [&](const std::string& name) {
    return std::any_of(program.propositions.begin(), program.propositions.end(),
                       [&](const ir::Proposition& own) { return own.name == name; });
  };
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && in_word(text[end])) ++end;
    std::string word = text.substr(i, std::max<size_t>(end - i, 1));
    const size_t letters = std::min(word.find_first_not_of("GFX"), word.size());
    for (size_t k = 1; k <= letters && !is_condition(word); ++k) {
      if (!is_condition(word.substr(k))) continue;
      word.insert(k, " ");
      break;
    }
    out += word;
    i = std::max(end, i + 1);
  }
  return out;
}

// The formula as a source, so that messages show where in it the mistake is.
SourceFile formula_source(const ir::Program& program) {
  const ir::Formula& formula = program.formulas[*program.formula];
  return SourceFile(fmt::format("{}: property {}", formula.path, formula.name),
                    separated(program, formula.text));
}

Status load_compiled(const Options& options, const std::vector<std::string>& atoms, Task& task,
                     native::LoadStats* stats) {
  Result<ir::Program> program = read_program(options, atoms);
  if (!program.ok()) return program.status();
  Result<std::unique_ptr<Model>> model = native::load(std::move(*program), {}, stats);
  if (!model.ok()) return model.status();
  task.model = std::move(*model);
  return {};
}

// Whether it says that a condition holds in every state; the condition then.
ltl::Formula always_condition(ltl::FormulaPool& pool, const ltl::Property& property) {
  if (property.kind == ltl::Property::Kind::all_always) return property.formula;
  if (property.kind == ltl::Property::Kind::exists_eventually) return pool.negation(property.formula);
  const ltl::Formula f = property.formula;
  return ltl::is_always(f) && f->operands[1]->propositional ? f->operands[1] : nullptr;
}

void make_invariant(const ltl::Property& property, ltl::Formula condition, Task& task) {
  const bool reach = property.kind == ltl::Property::Kind::exists_eventually;
  task.kind = reach ? Kind::reachability : Kind::invariant;
  task.note = reach ? "the formula asks for a state, so it is checked by a safety search"
                    : "the formula says that all states are alike, so it is checked as an invariant";
  task.derived = std::make_unique<InvariantModel>(*task.model, condition, task.message);
}

void make_recurrence(const ltl::Property& property, Task& task) {
  task.kind = Kind::recurrence;
  task.note = "the formula asks what every state can reach, so all states are kept in RAM";
  task.derived = std::make_unique<InvariantModel>(*task.model, property.formula, task.message);
}

Status make_product(const Options& options, Task& task) {
  const Result<ltl::Automaton> automaton = ltl::translate(*task.pool, task.pool->negation(task.formula));
  if (!automaton.ok()) return automaton.status();
  task.kind = Kind::liveness;
  task.note = kFormulaNote;
  task.derived = std::make_unique<ProductModel>(*task.model, *automaton, finite_paths(options));
  return {};
}

Result<Task> formula_task(const Options& options, const SourceFile& source, native::LoadStats* stats) {
  Task task;
  task.pool = std::make_unique<ltl::FormulaPool>();
  const Result<ltl::Property> property = ltl::parse_property(source, *task.pool);
  if (!property.ok()) return property.status();
  const std::string text(source.text());
  task.property = "LTL " + text;
  task.message = fmt::format("The formula fails: {}", text);
  task.formula = property->formula;
  const std::vector<std::string> atoms = task.pool->propositions();
  if (Status status = load_compiled(options, atoms, task, stats); !status.ok()) return status;
  if (property->kind == ltl::Property::Kind::always_reachable) {
    make_recurrence(*property, task);
  } else if (const ltl::Formula condition = always_condition(*task.pool, *property)) {
    make_invariant(*property, condition, task);
  } else if (Status status = make_product(options, task); !status.ok()) {
    return status;
  }
  return task;
}

Result<Task> automaton_task(const Options& options, native::LoadStats* stats) {
  const Result<SourceFile> source = SourceFile::load(options.automaton);
  if (!source.ok()) return source.status();
  Result<ltl::Automaton> read = ltl::read_automaton(*source);
  if (!read.ok()) return read.status();
  const ltl::Automaton automaton = ltl::prepare(std::move(*read));
  Task task;
  task.kind = Kind::liveness;
  task.property = "automaton " + options.automaton;
  task.message = fmt::format("The automaton \"{}\" accepts a path.", options.automaton);
  task.note = "the model's invariants and deadlocks are not checked, only the automaton";
  if (Status status = load_compiled(options, automaton.propositions, task, stats); !status.ok())
    return status;
  task.derived = std::make_unique<ProductModel>(*task.model, automaton, finite_paths(options));
  return task;
}

// Liveness properties are evaluated as propositions are, one bit each.
Status add_goals(ir::Program& program) {
  for (uint32_t i = 0; i < program.properties.size(); ++i)
    if (program.properties[i].kind == ir::Property::Kind::liveness) program.atoms.push_back(i);
  if (program.atoms.size() <= 64) return {};
  return Status::model(fmt::format(
      "{}: the model has {} liveness properties, rulesets counted by instances; at most 64 are possible",
      program.path, program.atoms.size()));
}

Result<Task> model_task(ir::Program program, native::LoadStats* stats) {
  Task task;
  if (Status status = add_goals(program); !status.ok()) return status;
  Result<std::unique_ptr<Model>> model = native::load(std::move(program), {}, stats);
  if (!model.ok()) return model.status();
  task.model = std::move(*model);
  if (!task.model->info().has_accepting) return task;
  task.kind = Kind::own_automaton;
  task.property = "the property process";
  task.message = "The property process accepts a path.";
  return task;
}

// Only the fair paths of a search for cycles count. An invariant needs none of this: every path to a state goes on fairly.
Status add_fairness(Task& task) {
  if (task.kind == Kind::safety) {
    return Status::usage(
        "--fairness weak: it is about infinite paths, which only a formula speaks of (--ltl, --automaton, "
        "--property, or a "
        "property process)");
  }
  if (!task.seeks_cycles()) return {};
  task.product = std::move(task.derived);
  auto fair = std::make_unique<FairModel>(task.product ? *task.product : *task.model);
  task.fair = fair.get();
  task.derived = std::move(fair);
  task.property += ", with weak fairness";
  task.note += fmt::format("{}only paths that are fair to {} processes count", task.note.empty() ? "" : "; ",
                           task.model->info().processes);
  return {};
}

bool is_given(const Options& options, const char* option) {
  const std::string name = option;
  if (name == "--bound") return options.bound.has_value();
  if (name == "--max-errors") return options.max_errors != 1;
  return options.deadlock.has_value() && *options.deadlock != DeadlockMode::off;
}

// What a search for cycles cannot do.
Status refuse_options(const Options& options) {
  for (const auto& [option, reason] :
       {std::pair{"--deadlock",
                  "a search for cycles looks for no deadlocks; --finite says what the end of a path means"},
        std::pair{"--bound", "a search for cycles has no bound on the depth"},
        std::pair{"--max-errors", "a search for cycles ends with its first counterexample"}}) {
    if (is_given(options, option)) return Status::usage(fmt::format("{}: {}", option, reason));
  }
  return {};
}

Status replay_word(const Task& task, const Counterexample& counterexample) {
  std::vector<uint64_t> letters(counterexample.steps.size());
  std::vector<Failure> failures;
  for (size_t i = 0; i < letters.size(); ++i)
    task.searched().propositions(counterexample.steps[i].state.data(), 1, &letters[i], failures);
  if (failures.empty() && !ltl::holds_on(task.formula, letters, *counterexample.loop)) return {};
  return Status::internal(
      "the counterexample does not replay: the formula holds on it; please report this as a bug of strata");
}

Status replay_fairness(const Task& task, const Counterexample& counterexample) {
  std::vector<const uint8_t*> states;
  std::vector<uint32_t> rules;
  for (size_t i = *counterexample.loop; i < counterexample.steps.size(); ++i) {
    const bool last = i + 1 == counterexample.steps.size();
    states.push_back(counterexample.steps[i].state.data());
    rules.push_back(last ? counterexample.loop_rule : counterexample.steps[i + 1].rule);
  }
  if (task.fair->is_fair(states, rules)) return {};
  return Status::internal(
      "the counterexample does not replay: it is not fair to every process; please report this as a bug of "
      "strata");
}

// EF p: what the safety search calls an error is what the formula asks for.
void turn_round(const Task& task, SearchResult& result) {
  if (result.verdict == Verdict::violated) {
    result.verdict = Verdict::holds;
    result.details.emplace_back("witness_length", result.counterexamples.front().length());
    result.witness = std::move(result.counterexamples.front());
    result.counterexamples.clear();
  } else if (result.verdict == Verdict::holds) {
    result.verdict = Verdict::violated;
    Counterexample none;
    none.text.message = task.message;
    result.counterexamples.push_back(std::move(none));
  }
}

// AG EF p has one search.
Result<const Algorithm*> fit_recurrence(const Algorithm& chosen, const Options& options) {
  const Algorithm& algorithm = recurrence_algorithm();
  if (options.algorithm != Options().algorithm && options.algorithm != "ram") {
    return Status::usage(fmt::format(
        "--algorithm {}: AG EF is checked with all states in RAM; leave --algorithm out", chosen.name));
  }
  if (Status status = check_algorithm(algorithm, options); !status.ok()) return status;
  return &algorithm;
}

Result<Task> load_plain_task(const Options& options, native::LoadStats* stats) {
  if (!options.automaton.empty()) return automaton_task(options, stats);
  if (!options.ltl.empty()) return formula_task(options, SourceFile("--ltl", options.ltl), stats);
  Result<ir::Program> program = read_program(options);
  if (!program.ok()) return program.status();
  if (!program->formula) return model_task(std::move(*program), stats);
  return formula_task(options, formula_source(*program), stats);
}

}  // namespace

Result<Task> load_task(const Options& options, native::LoadStats* stats) {
  Result<Task> task = load_plain_task(options, stats);
  if (!task.ok() || !options.fair) return task;
  if (Status status = add_fairness(*task); !status.ok()) return status;
  return task;
}

Result<const Algorithm*> fit_algorithm(Task& task, const Algorithm& chosen, const Options& options) {
  if (task.kind == Kind::recurrence) return fit_recurrence(chosen, options);
  if (!task.seeks_cycles()) {
    if (!chosen.has(trait::cycles)) return &chosen;
    return Status::usage(
        fmt::format("--algorithm {}: it looks for cycles, which only a formula asks for (--ltl, --automaton, "
                    "--property, or a property process); for other errors choose another one",
                    chosen.name));
  }
  const Algorithm* algorithm = &chosen;
  if (options.algorithm == Options().algorithm) algorithm = &automatic_cycles();
  // The states of a model with a property process can be counted by any search.
  if (!algorithm->has(trait::cycles) && task.kind == Kind::own_automaton) {
    task.kind = Kind::safety;
    task.property.clear();
    task.message.clear();
    task.note = fmt::format(
        "whether the property process accepts a path is not checked: {} looks for errors of states and rules",
        algorithm->name);
    return algorithm;
  }
  if (!algorithm->has(trait::cycles)) {
    return Status::usage(
        fmt::format("--algorithm {}: it looks for errors of states and rules, not for cycles; choose "
                    "one that does, for example ndfs or owcty, or leave --algorithm out",
                    algorithm->name));
  }
  if (Status status = refuse_options(options); !status.ok()) return status;
  if (Status status = check_algorithm(*algorithm, options); !status.ok()) return status;
  return algorithm;
}

Status conclude(const Task& task, SearchResult& result) {
  if (task.kind == Kind::safety) return {};
  if (task.kind == Kind::reachability) turn_round(task, result);
  result.formula = task.kind != Kind::own_automaton;
  for (Counterexample& counterexample : result.counterexamples) {
    if (!counterexample.loop) continue;
    counterexample.text.message = task.message;
    if (counterexample.steps.empty()) continue;  // its path was not found
    if (task.fair != nullptr) {
      if (Status status = replay_fairness(task, counterexample); !status.ok()) return status;
    }
    if (task.formula == nullptr) continue;
    if (Status status = replay_word(task, counterexample); !status.ok()) return status;
  }
  return {};
}

}  // namespace strata
