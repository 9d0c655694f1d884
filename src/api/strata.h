// libstrata: checks models from your program. C++17; includes nothing but the standard library.
// doc/library.md has the tour, doc/manual.md the options.
//
//   #include <strata/strata.h>
//
//   strata::api::Check check(strata::api::Model::file("peterson.m"),
//                            strata::api::Options().set("threads", "2").set("memory", "512M"));
//   const strata::api::Result result = check.run();
//   if (const strata::api::Error* error = result.error()) ...
//   for (const strata::api::Counterexample& found : result.counterexamples()) ...
//
// The library prints nothing, never ends the process and handles no signals. It throws no exceptions of its own:
// failures are Error values. A process runs one check at a time, because memory is planned, and compilers are started,
// for the process as a whole; a second check that is run meanwhile is refused (Error::Kind::busy). Any number of checks
// may run one after another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The library exports everything below.
#pragma GCC visibility push(default)

namespace strata::api {

// The version of the loaded library: "0.1.0".
const char* version();

// A place in a text. Line and column count from 1; line 0: unknown.
struct Position {
  std::string file;
  uint32_t line = 0, column = 0;
};

// Why a check has no result.
struct Error {
  enum class Kind {
    usage,        // an option, or the order of calls
    model,        // the model, or a formula, does not parse or type-check
    limit,        // memory or disk leaves no room to begin
    interrupted,  // cancelled before there was a result
    busy,         // another check runs in this process
    system,       // the operating system refused: a file, the compiler
    internal,     // a bug of Strata: please report it
  };
  struct Message {
    Position position;
    std::string text;
  };

  Kind kind = Kind::internal;
  std::string text;               // the whole message; for a model with the lines in question
  std::vector<Message> messages;  // the same, one by one, with places
  int exit_code = 0;              // of `strata check`
};

// A model to check, before it is read.
class Model {
 public:
  // The extension of the file names the language of the model (`strata --help` lists them), or a shared object (.so).
  static Model file(std::string path);
  // The text itself. `language` is a value of the option --language; `name` replaces the file in messages.
  static Model text(std::string text, std::string language, std::string name = "model");

 private:
  friend class Check;
  Model() = default;
  bool is_text_ = false;
  std::string path_, text_, language_;
};

// The options of `strata check` that do not concern its output, under their names without dashes (memory, time-limit or
// time_limit); -D is define, -p is proposition. Values are texts as on the command line ("512M", "N=4"). An option that
// may be repeated on the command line may be set repeatedly; for others the last value counts. A wrong option is
// reported by the check.
class Options {
 public:
  Options& set(std::string name, std::string value) {
    values_.emplace_back(std::move(name), std::move(value));
    return *this;
  }
  // The names of all options.
  static std::vector<std::string> names();

 private:
  friend class Check;
  std::vector<std::pair<std::string, std::string>> values_;
};

// The progress of a check.
struct Progress {
  std::string phase;   // "loading the model", "expanding level 41"
  double seconds = 0;  // since run() or load() was called
  uint64_t states = 0, transitions = 0;
  uint64_t queue = 0;   // states found and not yet expanded
  uint64_t levels = 0;  // levels begun
  uint64_t memory = 0;  // bytes of the whole process
  uint64_t disk = 0;    // bytes
};

struct Member;

// A value of a model. The variables of a state are a record.
struct Value {
  enum class Kind { undefined, integer, boolean, symbol, record, array, multiset };
  Kind kind = Kind::undefined;
  int64_t number = 0;  // integer; boolean: 0 or 1
  std::string symbol;  // the name of an enum member or scalarset element
  // record: by the names of fields; array: by its indices, as texts; multiset: by "0", "1", ...
  std::vector<Member> members;

  bool is_scalar() const { return kind < Kind::record; }
  // The text of a scalar: "3", "true", "Proc_1", "Undefined"; empty for other values.
  std::string text() const;
  // The member of this name, or null.
  const Value* find(const std::string& name) const;
  // All scalars below it as path and text: {"cache[1].state", "Invalid"}.
  std::vector<std::pair<std::string, std::string>> scalars() const;
};

struct Member {
  std::string name;
  Value value;
};

// The parts of a model.
struct Variable {
  std::string name, type;
  uint64_t bits = 0;
};
struct Rule {
  std::string name;
  Position position;
  uint64_t instances = 1;
};
struct ModelInfo {
  std::string name, language;
  uint64_t state_bits = 0;
  std::vector<Variable> variables;
  std::vector<Rule> rules;
};

enum class Verdict {
  holds,      // no error: all states were searched
  violated,   // an invariant or a formula
  deadlock,   // a state that no rule leaves
  assertion,  // an assertion or an error statement
  error,      // a run-time error in the model
  incomplete,  // a limit was reached, or the check cancelled, before an error was found; Result::stop() says which
};
const char* name(Verdict verdict);  // as in the JSON report

enum class Stop { none, memory, disk, time, bound, cancelled };

// A property of the model, and its outcome.
struct Property {
  enum class Outcome {
    holds,
    violated,  // a cover: it held in no state
    unknown,   // not checked, or not in all states
  };
  std::string kind;  // invariant, assertion, assumption, cover, liveness, proposition
  std::string name;
  Position position;
  Outcome outcome = Outcome::unknown;
};

struct RuleCount {
  std::string name;
  Position position;
  uint64_t fired = 0;
};

// A state of a path and the rule (for the first state: the start state) that led to it.
struct Step {
  std::string rule;  // with its parameters: "Send, p:Proc_1"
  Value state;
};

struct [[gnu::visibility("hidden")]] Run;  // behind the header

// An error, and the path to it. States are made on request, because a path may be long. It may outlive the result.
class Counterexample {
 public:
  std::string message() const;  // Invariant "mutex" failed.
  Position position() const;    // of the property, assertion or expression
  // The number of rules fired, including one that failed.
  uint64_t length() const;
  // The number of states of the path, from an initial state on: length() + 1, or one fewer if the last rule failed. 0
  // with the option trace=off.
  uint64_t size() const;
  // Beyond the last state: a step without a rule and without a state.
  Step step(uint64_t number) const;
  // The rule whose firing failed; empty if the error is another one.
  std::string failing_rule() const;
  // Whether the path ends in a loop, and at which state it begins.
  bool has_loop() const;
  uint64_t loop() const;
  // As `strata check` prints it, with the variables that changed or with all; and in the ITF format, for trace viewers.
  std::string text(bool all_variables = false) const;
  std::string itf() const;

 private:
  friend class Result;
  struct [[gnu::visibility("hidden")]] Implementation;
  explicit Counterexample(std::shared_ptr<const Implementation> implementation);
  std::shared_ptr<const Implementation> implementation_;
};

// The outcome of a check. Copies share it.
class Result {
 public:
  // Why there is no result; null if there is one. With an error, all functions below return empty values.
  const Error* error() const;
  // Warnings and notes about the run, with or without an error.
  const std::vector<std::string>& notes() const;

  Verdict verdict() const;
  std::string message() const;  // the verdict in words, in a line or several
  Stop stop() const;            // why not all states were searched
  int exit_code() const;        // of `strata check`
  uint64_t states() const, transitions() const;
  // The largest distance from an initial state; if levels_exact() is false, the true depth may be smaller.
  uint64_t depth() const;
  std::vector<uint64_t> levels() const;  // states by distance from an initial state
  bool levels_exact() const;             // false: a state that was found late is counted in a later level
  bool exact() const;                    // false: states may have been omitted (option store=signatures)
  double seconds() const;                // of the search
  double compile_seconds() const;
  uint64_t peak_memory() const, peak_disk() const;  // bytes
  std::string algorithm() const;

  ModelInfo model() const;
  std::vector<Property> properties() const;
  std::vector<RuleCount> rules() const;  // how often each fired
  std::vector<Counterexample> counterexamples()
      const;  // the shortest first; at most as many as max_errors says
  // If a formula EF p holds: the path to a state with p.
  std::optional<Counterexample> witness() const;

  // The reports of `strata check`: the object of --json, and the text.
  std::string json() const;
  std::string text() const;

 private:
  friend class Check;
  struct [[gnu::visibility("hidden")]] Implementation;
  explicit Result(std::shared_ptr<const Implementation> implementation);
  const Run* run() const;
  std::shared_ptr<const Implementation> implementation_;
};

// One check. Calling run() again checks again. Thread safety: cancel() may be called from any thread; the other
// functions by one thread at a time.
class Check {
 public:
  explicit Check(Model model, Options options = {});
  ~Check();
  Check(Check&& other) noexcept;
  Check& operator=(Check&& other) noexcept;

  // The callback is called on the thread that called run() or load(), each time this many seconds have passed and once
  // at the end. If it returns false, the check is cancelled, and the callback is not called again. An exception that it
  // throws cancels the check as well, and run() or load() throws it on.
  void on_progress(std::function<bool(const Progress&)> callback, double seconds = 1);

  // Reads, type-checks and compiles the model, so that run() starts with the search. Empty on success.
  std::optional<Error> load();
  // The parts of the model. REQUIRES: load() succeeded.
  ModelInfo model() const;
  // Loads the model, unless load() has done so, and searches it.
  Result run();
  // Makes run() or load() return soon, with the result so far. Callable from any thread at any time. A cancelled check
  // stays cancelled.
  void cancel();

 private:
  struct [[gnu::visibility("hidden")]] Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace strata::api

#pragma GCC visibility pop
