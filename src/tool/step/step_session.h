// The commands of `strata step`: each is a line of text, and its answer is text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/status.h"
#include "model/model.h"
#include "model/rule_counts.h"
#include "tool/step/questions.h"
#include "tool/step/walk.h"

namespace strata {

// A command, for help texts and completion.
struct StepCommand {
  const char* name;
  const char* argument;
  const char* help;
};
const std::vector<StepCommand>& step_commands();

class StepSession {
 public:
  using Print = std::function<void(std::string_view)>;
  // Writes the walk to a file: ITF, or a page where the name ends in .html.
  using Save = std::function<Status(const std::string& file, const Counterexample& walk)>;
  // The states of a saved trace.
  using Open = std::function<Result<std::vector<Value>>(const std::string& file)>;

  // All of these must outlive the session.
  StepSession(const Model& model, DeadlockMode deadlock, uint64_t seed, Questions& questions);

  void print_with(Print print) { print_ = std::move(print); }
  void save_with(Save save) { save_ = std::move(save); }
  void open_with(Open open) { open_ = std::move(open); }

  // Finds the start states, follows a saved trace unless its name is empty, and shows where the walk begins.
  Status begin(const std::string& trace_file = "");
  // Carries out one line; an error says what is wrong with it, and changes nothing.
  Status run(const std::string& line);
  bool ended() const { return ended_; }
  const Walk& walk() const { return walk_; }
  // Names of commands, rules, variables and fields.
  std::vector<std::string> words() const;

 private:
  using Handler = Status (StepSession::*)(const std::string& argument);
  static Handler handler_of(const std::string& name);

  Status move(const std::string& number);
  Status rules(const std::string& text);
  Status show(const std::string& name);
  Status back(const std::string& count);
  Status to(const std::string& step);
  Status restart(const std::string& argument);
  Status path(const std::string& argument);
  Status random(const std::string& count);
  Status until(const std::string& condition);
  Status watch(const std::string& expression);
  // For each watched expression, whether it is true in this state.
  std::vector<bool> watched_truths();
  Status unwatch(const std::string& number);
  Status evaluate(const std::string& expression);
  Status disabled(const std::string& text);
  Status save(const std::string& file);
  // Follows a saved trace to its end; `back` and `to` lead to its other states.
  Status open(const std::string& file);
  Status help(const std::string& argument);
  Status quit(const std::string& argument);

  Status need_state() const;
  Result<uint64_t> number(const std::string& text, const char* what, uint64_t least, uint64_t most) const;
  void say(const std::string& text) const { print_(text); }
  InstanceName name_of(const TraceStep& step, bool is_start) const;
  std::string move_line(uint64_t move) const;
  std::string changes(const TraceStep& to) const;
  std::string disabled_text(uint64_t rule, uint64_t instance, const std::string& name) const;
  bool is_possible(uint32_t instance) const;
  // Shows the state that was reached, its faults, the watched expressions and the moves.
  void arrive();
  // Takes random steps until stop() is true or the count is reached; the number of steps.
  template <class Stop>
  uint64_t wander(uint64_t most, Stop&& stop);

  const Model& model_;
  Questions& questions_;
  Walk walk_;
  RuleIndex index_;
  Random random_;
  std::vector<std::string> watched_;
  Print print_ = [](std::string_view) {};
  Save save_;
  Open open_;
  bool ended_ = false;
};

}  // namespace strata
