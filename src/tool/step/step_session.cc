#include "tool/step/step_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "report/trace/trace_text.h"
#include "tool/step/step_texts.h"

namespace strata {
namespace {

constexpr uint64_t kMostRandomSteps = 100'000, kStepsUntil = 10'000;
constexpr size_t kMostMoves = 200, kMostDisabled = 50;

}  // namespace

const std::vector<StepCommand>& step_commands() {
  static const std::vector<StepCommand> commands = {
      {"N", "", "take move number N of the list"},
      {"rules", "[TEXT]", "list the moves, or those whose name contains TEXT"},
      {"disabled", "[TEXT]", "list the other rules, and which part of each guard is false"},
      {"show", "[NAME]", "show the state, or one of its variables"},
      {"eval", "EXPR", "evaluate an expression of the model's language in this state"},
      {"watch", "EXPR", "evaluate an expression after each step"},
      {"unwatch", "[N]", "forget watched expression N, or all"},
      {"back", "[N]", "go back N steps (default: 1)"},
      {"to", "K", "go to step K of the path"},
      {"restart", "", "go back to the choice of a start state"},
      {"path", "", "list the steps of the path"},
      {"random", "[N]", "take N random steps (default: 1), until a watched condition becomes true"},
      {"until", "EXPR", "take random steps until the condition holds or something fails"},
      {"save", "FILE",
       "save the path: an ITF trace; FILE.html: a page; FILE.suite.json: the state as a case of a suite"},
      {"open", "FILE", "follow a saved trace"},
      {"help", "", "list the commands; the first letters of a name are enough"},
      {"quit", "", "end"},
  };
  return commands;
}

StepSession::Handler StepSession::handler_of(const std::string& name) {
  static const std::map<std::string, Handler> handlers = {
      {"rules", &StepSession::rules},     {"disabled", &StepSession::disabled},
      {"show", &StepSession::show},       {"eval", &StepSession::evaluate},
      {"watch", &StepSession::watch},     {"unwatch", &StepSession::unwatch},
      {"back", &StepSession::back},       {"to", &StepSession::to},
      {"restart", &StepSession::restart}, {"path", &StepSession::path},
      {"random", &StepSession::random},   {"until", &StepSession::until},
      {"save", &StepSession::save},       {"open", &StepSession::open},
      {"help", &StepSession::help},       {"quit", &StepSession::quit}};
  // The first command that begins with these letters, in the order of the list.
  for (const StepCommand& command : step_commands())
    if (std::string_view(command.name).starts_with(name) && !name.empty()) {
      const auto found = handlers.find(command.name);
      if (found != handlers.end()) return found->second;
    }
  return nullptr;
}

StepSession::StepSession(const Model& model, DeadlockMode deadlock, uint64_t seed, Questions& questions)
    : model_(model), questions_(questions), walk_(model, deadlock), index_(model.info()), random_(seed) {}

Status StepSession::begin(const std::string& trace_file) {
  if (Status status = walk_.begin(); !status.ok()) return status;
  if (!trace_file.empty()) return open(trace_file);
  arrive();
  return {};
}

Status StepSession::run(const std::string& line) {
  const std::string command = trimmed(line);
  if (command.empty() || command.front() == '#') return {};
  const size_t end = std::min(command.find_first_of(" \t"), command.size());
  const std::string name = command.substr(0, end), argument = trimmed(command.substr(end));
  if (name.find_first_not_of("0123456789") == std::string::npos) {
    if (!argument.empty()) return Status::usage(fmt::format("'{}': a move is one number", command));
    return move(name);
  }
  const Handler handler = handler_of(name);
  if (handler == nullptr)
    return Status::usage(fmt::format("unknown command '{}'; `help` lists the commands", name));
  return (this->*handler)(argument);
}

Result<uint64_t> StepSession::number(const std::string& text, const char* what, uint64_t least,
                                     uint64_t most) const {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return Status::usage(fmt::format("'{}' is not {} from {} to {}", text, what, least, most));
  return value;
}

// ---- What is shown

InstanceName StepSession::name_of(const TraceStep& step, bool is_start) const {
  return is_start ? model_.start_name(step.rule) : model_.rule_name(step.rule);
}

std::string StepSession::changes(const TraceStep& to) const {
  if (walk_.path().empty()) return "";
  const std::string parts = differences(model_.describe(walk_.state()), model_.describe(to.state.data()));
  return parts.empty() ? "changes nothing" : parts;
}

std::string StepSession::move_line(uint64_t move) const {
  const TraceStep& step = walk_.moves()[move];
  const bool is_start = walk_.path().empty();
  const std::string place = is_start ? "" : line_of_rule(model_.info(), index_, step.rule);
  const std::string changed = changes(step);
  return fmt::format("{:>4}  {}{}\n{}", move + 1, name_of(step, is_start).text(), place,
                     changed.empty() ? "" : "      " + changed + "\n");
}

void StepSession::arrive() {
  const std::vector<TraceStep>& path = walk_.path();
  if (path.empty()) {
    say(fmt::format("{}\n", counted(walk_.moves().size(), "start state")));
    static_cast<void>(rules(""));
    return;
  }
  const TraceStep& last = path.back();
  if (path.size() == 1) {
    say(fmt::format("Step 0: {}\n{}", model_.start_name(last.rule).title("Startstate"),
                    state_lines(leaves(model_.describe(walk_.state())))));
  } else {
    const std::string changed = changed_lines(leaves(model_.describe(path[path.size() - 2].state.data())),
                                              leaves(model_.describe(walk_.state())));
    say(fmt::format("Step {}: {}\n{}", path.size() - 1, model_.rule_name(last.rule).title("Rule"), changed));
  }
  for (size_t i = 0; i < watched_.size(); ++i) {
    const Result<Value> value = questions_.evaluate(watched_[i], walk_.state());
    say(fmt::format("watch {}: {}", i + 1,
                    value.ok() ? value_text(watched_[i], *value)
                               : fmt::format("{}: {}\n", watched_[i], value.status().message())));
  }
  for (const Failure& failure : walk_.failures()) {
    const std::string rule =
        failure.rule == kNoRule ? "" : fmt::format(" ({})", model_.rule_name(failure.rule).title("Rule"));
    const FailureText text = model_.describe_failure(failure);
    say(fmt::format("! {}{}\n{}", failure_line(model_.info(), text), rule, text.excerpt));
  }
  static_cast<void>(rules(""));
}

// ---- Commands

Status StepSession::need_state() const {
  if (walk_.path().empty()) return Status::usage("choose a start state first: its number");
  return {};
}

Status StepSession::move(const std::string& text) {
  if (walk_.moves().empty())
    return Status::usage("no rule leads from this state to another one; `back` or `restart` lead elsewhere");
  const Result<uint64_t> chosen = number(text, "a move", 1, walk_.moves().size());
  if (!chosen.ok()) return chosen.status();
  walk_.go(*chosen - 1);
  arrive();
  return {};
}

Status StepSession::rules(const std::string& text) {
  const bool is_start = walk_.path().empty();
  std::string out;
  size_t shown = 0, more = 0;
  for (uint64_t i = 0; i < walk_.moves().size(); ++i) {
    if (!contains(name_of(walk_.moves()[i], is_start).text(), text)) continue;
    if (shown++ < kMostMoves)
      out += move_line(i);
    else
      ++more;
  }
  if (shown == 0)
    out = text.empty() ? "no rule is enabled\n" : fmt::format("no move has '{}' in its name\n", text);
  if (more > 0) out += fmt::format("      ... and {} more; `rules TEXT` lists some of them\n", more);
  say(out);
  return {};
}

Status StepSession::show(const std::string& name) {
  if (Status status = need_state(); !status.ok()) return status;
  const Value state = model_.describe(walk_.state());
  if (name.empty()) {
    say(state_lines(leaves(state)));
    return {};
  }
  for (const auto& [variable, value] : state.members)
    if (variable == name) {
      say(value_text(variable, value));
      return {};
    }
  return Status::usage(fmt::format("the state has no variable '{}'; `eval` takes an expression", name));
}

Status StepSession::back(const std::string& count) {
  if (Status status = need_state(); !status.ok()) return status;
  const uint64_t steps = walk_.path().size() - 1;
  if (steps == 0)
    return Status::usage("this is the start state; `restart` leads to the choice of another one");
  const Result<uint64_t> wanted =
      count.empty() ? Result<uint64_t>(1) : number(count, "a number of steps", 1, steps);
  if (!wanted.ok()) return wanted.status();
  walk_.keep(walk_.path().size() - *wanted);
  arrive();
  return {};
}

Status StepSession::to(const std::string& step) {
  if (Status status = need_state(); !status.ok()) return status;
  const Result<uint64_t> wanted = number(step, "a step", 0, walk_.path().size() - 1);
  if (!wanted.ok()) return wanted.status();
  walk_.keep(*wanted + 1);
  arrive();
  return {};
}

Status StepSession::restart(const std::string&) {
  walk_.keep(0);
  if (walk_.moves().size() == 1) walk_.go(0);
  arrive();
  return {};
}

Status StepSession::path(const std::string&) {
  std::string out;
  for (size_t i = 0; i < walk_.path().size(); ++i) {
    const TraceStep& step = walk_.path()[i];
    out += fmt::format("{:>4}  {}\n", i, name_of(step, i == 0).title(i == 0 ? "Startstate" : "Rule"));
  }
  say(out.empty() ? "no start state is chosen yet\n" : out);
  return {};
}

template <class Stop>
uint64_t StepSession::wander(uint64_t most, Stop&& stop) {
  uint64_t taken = 0;
  while (taken < most && !walk_.moves().empty()) {
    walk_.go(random_.below(walk_.moves().size()));
    ++taken;
    if (stop()) break;
  }
  return taken;
}

std::vector<bool> StepSession::watched_truths() {
  std::vector<bool> truths;
  for (const std::string& expression : watched_) {
    const Result<Value> value = questions_.evaluate(expression, walk_.state());
    truths.push_back(value.ok() && value->kind == Value::Kind::boolean && value->number != 0);
  }
  return truths;
}

Status StepSession::random(const std::string& count) {
  const Result<uint64_t> wanted =
      count.empty() ? Result<uint64_t>(1) : number(count, "a number of steps", 1, kMostRandomSteps);
  if (!wanted.ok()) return wanted.status();
  std::vector<bool> before = walk_.path().empty() ? std::vector<bool>(watched_.size()) : watched_truths();
  std::string met;
  const uint64_t taken = wander(*wanted, [&] {
    std::vector<bool> now = watched_truths();
    for (size_t i = 0; i < now.size() && met.empty(); ++i)
      if (now[i] && !before[i]) met = fmt::format(", and watch {} holds", i + 1);
    before = std::move(now);
    return !met.empty() || !walk_.failures().empty();
  });
  if (*wanted > 1) say(fmt::format("{}{}\n", counted(taken, "random step"), met));
  arrive();
  return {};
}

Status StepSession::until(const std::string& condition) {
  if (condition.empty()) return Status::usage("until needs a condition, for example: until n = 3");
  if (Status status = questions_.understand(condition); !status.ok()) return status;
  Status failed;
  bool holds = false;
  const uint64_t taken = wander(kStepsUntil, [&] {
    const Result<bool> answer = questions_.holds(condition, walk_.state());
    if (!answer.ok()) failed = answer.status();
    holds = answer.ok() && *answer;
    return holds || !failed.ok() || !walk_.failures().empty();
  });
  say(fmt::format("{}, and '{}' {}\n", counted(taken, "random step"), condition,
                  holds ? "holds" : "does not hold"));
  arrive();
  return failed;
}

Status StepSession::watch(const std::string& expression) {
  if (expression.empty()) return Status::usage("watch needs an expression");
  if (Status status = questions_.understand(expression); !status.ok()) return status;
  watched_.push_back(expression);
  return walk_.path().empty() ? Status() : evaluate(expression);
}

Status StepSession::unwatch(const std::string& text) {
  if (text.empty()) {
    watched_.clear();
    return {};
  }
  const Result<uint64_t> which = number(text, "a watched expression", 1, watched_.size());
  if (!which.ok()) return which.status();
  watched_.erase(watched_.begin() + static_cast<ptrdiff_t>(*which - 1));
  return {};
}

Status StepSession::evaluate(const std::string& expression) {
  if (Status status = need_state(); !status.ok()) return status;
  if (expression.empty()) return Status::usage("eval needs an expression");
  const Result<Value> value = questions_.evaluate(expression, walk_.state());
  if (!value.ok()) return value.status();
  say(value_text(expression, *value));
  return {};
}

bool StepSession::is_possible(uint32_t instance) const {
  const auto is_it = [&](const auto& known) { return known.rule == instance; };
  return std::any_of(walk_.moves().begin(), walk_.moves().end(), is_it) ||
         std::any_of(walk_.failures().begin(), walk_.failures().end(), is_it);
}

std::string StepSession::disabled_text(uint64_t rule, uint64_t instance, const std::string& name) const {
  std::vector<std::string> reasons;
  for (const ir::GuardPart& part : questions_.guard(rule, instance, walk_.state())) {
    if (!part.holds)
      reasons.push_back(fmt::format("{} cannot be evaluated: {}", part.text, part.failure));
    else if (!*part.holds)
      reasons.push_back(part.text);
  }
  if (reasons.empty())
    return fmt::format("      {}\n          its guard holds; another rule goes first\n", name);
  std::string out = fmt::format("      {}\n", name);
  for (const std::string& reason : reasons) out += fmt::format("          false: {}\n", reason);
  return out;
}

Status StepSession::disabled(const std::string& text) {
  if (Status status = need_state(); !status.ok()) return status;
  if (questions_.program() == nullptr) return Status::usage("a shared object does not tell its guards");
  std::string out;
  uint64_t shown = 0, more = 0;
  for (uint64_t rule = 0; rule < model_.info().rules.size(); ++rule)
    for (uint64_t i = 0; i < model_.info().rules[rule].instances; ++i) {
      const auto instance = static_cast<uint32_t>(index_.first(rule) + i);
      if (is_possible(instance)) continue;
      const std::string name = model_.rule_name(instance).text();
      if (!contains(name, text)) continue;
      if (shown++ < kMostDisabled)
        out += disabled_text(rule, i, name);
      else
        ++more;
    }
  if (shown == 0)
    out = "no other rule" + (text.empty() ? "" : fmt::format(" has '{}' in its name", text)) + "\n";
  if (more > 0) out += fmt::format("      ... and {} more; `disabled TEXT` lists some of them\n", more);
  say(out);
  return {};
}

Status StepSession::save(const std::string& file) {
  if (Status status = need_state(); !status.ok()) return status;
  if (file.empty()) return Status::usage("save needs the name of a file");
  Counterexample walk;
  walk.steps = walk_.path();
  const auto broken = std::find_if(walk_.failures().begin(), walk_.failures().end(),
                                   [](const Failure& failure) { return failure.rule == kNoRule; });
  if (broken != walk_.failures().end()) {
    walk.failure = *broken;
    walk.text = model_.describe_failure(*broken);
  } else {
    walk.failed = false;
    walk.text.message = fmt::format("A walk of {} without an error.", counted(walk.steps.size() - 1, "step"));
  }
  if (Status status = save_(file, walk); !status.ok()) return status;
  say(fmt::format("saved {} in {}\n", counted(walk.steps.size() - 1, "step"), file));
  return {};
}

Status StepSession::open(const std::string& file) {
  if (file.empty()) return Status::usage("open needs the name of a file");
  const Result<std::vector<Value>> states = open_(file);
  if (!states.ok()) return states.status();
  const std::vector<TraceStep> before = walk_.path();
  if (Status status = walk_.follow(*states); !status.ok()) {
    walk_.restore(before);
    return Status::model(fmt::format("{}: {}", file, status.message()));
  }
  arrive();
  return {};
}

Status StepSession::help(const std::string&) {
  std::string out;
  for (const StepCommand& command : step_commands())
    out += fmt::format(
        "  {:<16} {}\n",
        *command.argument == '\0' ? command.name : fmt::format("{} {}", command.name, command.argument),
        command.help);
  say(out);
  return {};
}

Status StepSession::quit(const std::string&) {
  ended_ = true;
  return {};
}

std::vector<std::string> StepSession::words() const {
  std::set<std::string> words;
  for (const StepCommand& command : step_commands()) words.insert(command.name);
  for (const RuleInfo& rule : model_.info().rules) words.insert(rule.name);
  for (const VariableInfo& variable : model_.info().variables) words.insert(variable.name);
  if (questions_.program() != nullptr)
    for (const ir::Type& type : questions_.program()->types)
      if (type.record() != nullptr)
        for (const ir::Field& field : type.record()->fields) words.insert(field.name);
  words.erase("N");
  return {words.begin(), words.end()};
}

}  // namespace strata
