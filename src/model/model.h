// The seam between languages and searches. A model is a finite graph given by its initial states and an expand
// function; states are fixed-size strings of bytes (bit-packed, equal states have equal bytes). Calls carry
// batches: expand takes many states and fills one contiguous buffer of successors, without an allocation or a
// virtual call per successor.
//
//   initial, expand, check      the graph and its properties
//   propositions, accepting     what formulas and automata read
//   describe...                 states, rules and failures in words
//   capabilities                all else that some models offer (model/capabilities.h)
//
// Thread safety: any number of threads may use a Model at the same time, each with an Expansion of its own. A call
// changes nothing that another call can see, apart from data that capabilities are about.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_map.h"
#include "base/source.h"
#include "model/capabilities.h"
#include "model/rule_counts.h"
#include "model/value.h"

namespace strata {

enum class DeadlockMode { off, stuck, stuttering };

enum class PropertyKind { invariant, assertion, assumption, cover, liveness, proposition };

struct PropertyInfo {
  PropertyKind kind = PropertyKind::invariant;
  std::string name;
  SourcePosition position;
  bool named = true;      // false: the name is its place in the model
  bool constant = false;  // it has the same value in all states
};

// The left side of an implication that is, under quantifiers and conjunctions, an invariant: where it never holds, the
// implication says nothing.
struct PremiseInfo {
  uint32_t property = 0;
  SourcePosition position;
};

struct VariableInfo {
  std::string name;
  std::string type;
  uint64_t bits = 0;
};

struct RuleInfo {
  std::string name;
  uint64_t instances = 1;
  SourcePosition position;
  // The processes that move when the rule fires, by their numbers below ModelInfo::processes. With a count of
  // values above 1, the first of them is that of instance n for n / stride % values == 0, and the others
  // follow in order.
  std::vector<uint32_t> processes;
  uint64_t process_stride = 1, process_values = 1;
  std::vector<uint32_t> steps;  // that it is made of, by their numbers in ModelInfo::steps
  bool named = true;
};

// A transition of a process, in languages where a rule may be made of several.
struct StepInfo {
  std::string name;
  SourcePosition position;
};

struct ModelInfo {
  std::string path;
  std::string language;
  uint64_t state_bits = 0;
  uint64_t state_bytes = 0;  // at least 1
  // Upper bound of the successors of one state, and of the number of initial states.
  uint64_t max_successors = 0;
  uint64_t max_initial = 0;
  std::vector<VariableInfo> variables;
  std::vector<RuleInfo> rules;
  std::vector<StepInfo> steps;           // empty: each rule stands for itself
  uint64_t processes = 0;                // the number of those who move, for fairness
  std::vector<PropertyInfo> properties;  // covers of statements are listed here too
  std::vector<PremiseInfo> premises;
  std::vector<std::pair<std::string, std::string>> constants;
  DeadlockMode deadlock = DeadlockMode::stuttering;  // unless the user chooses
  bool has_accepting = false;                        // an automaton is part of the model
  bool has_puts = false;                             // some rule may put text
  // Conditions that must stay reachable from every state: proposition i is that of the property goals[i].
  std::vector<uint32_t> goals;
};

constexpr uint32_t kNoRule = 0xffffffffu;
constexpr uint32_t kNoProperty = 0xffffffffu;

// Something wrong that expand, check or initial found. `state` is the number of the state within the call (for
// initial: not used), `rule` the rule instance that was firing (kNoRule for a property or deadlock of the state
// itself; for initial: the start state's number).
struct Failure {
  enum class Kind : uint32_t { property, deadlock, runtime };
  uint32_t state = 0;
  uint32_t rule = kNoRule;
  Kind kind = Kind::property;
  uint32_t detail = 0;  // property: its number in ModelInfo::properties; runtime: a site of the model
  // What belongs to the message beside the detail. It follows from the fields above and the state, and so has
  // no part in whether two failures are the same.
  int64_t value = 0;                 // the value that does not fit, or the instance of the property
  bool in_guard = false;             // runtime: the rule was not fired; its guard could not be evaluated
  uint32_t evaluated = kNoProperty;  // runtime: the property that could not be evaluated
};

// A rule instance or start state in words.
struct InstanceName {
  std::string name;        // "Send"; a nameless one is called by its place in the model, "Rule 3"
  std::string parameters;  // ", p:Proc_1, v:2"
  bool named = true;

  std::string text() const { return name + parameters; }
  // As a trace shows it: Rule "Send", p:Proc_1 or Rule 3, p:Proc_1; `kind` is Rule or Startstate.
  std::string title(const char* kind) const;
};

// A failure in words.
struct FailureText {
  enum class Verdict { invariant, deadlock, assertion, error };
  Verdict verdict = Verdict::invariant;
  std::string message;  // for example: Invariant "mutex" failed.
  SourcePosition position;
};

// What a model keeps in an Expansion from call to call, for itself: buffers of a model that is made of another one.
struct ExpansionScratch {
  virtual ~ExpansionScratch() = default;
};

// What a caller of a model chooses, constant during a search. A struct of its own, so that a model made of
// another one hands on all of it.
struct ExpansionOptions {
  DeadlockMode deadlock = DeadlockMode::stuttering;
  bool check_properties = true;  // check invariants of each expanded state
  bool emit_self_loops = false;  // list successors equal to their parent too (they are always counted)
  bool report_errors = false;    // a run-time error that leads to an error state is a failure as well
  // Receives the text of `put` statements; null: dropped.
  void (*put)(void* context, const char* text, uint64_t length) = nullptr;
  void* put_context = nullptr;
  // Set to the rule instance or start state that puts the text before put() is called; null: nobody asks.
  // kNoRule: not known, as for a function that a guard calls.
  uint32_t* put_rule = nullptr;
  // Where expand counts the rules that fire; null: nowhere.
  RuleCounts* counts = nullptr;
};

// What one thread gets back from a model; reused from call to call. The caller sets the options once and calls
// reset() before each call.
class Expansion : public ExpansionOptions {
 public:
  Expansion(const ModelInfo& info, uint64_t capacity);

  ExpansionOptions& options() { return *this; }
  const ExpansionOptions& options() const { return *this; }

  void reset();

  uint64_t capacity() const { return rules.size(); }
  // For a model that gives states one by one, of which there may be more than fit.
  void make_room(const std::function<void()>& full) {
    if (count < capacity()) return;
    full();
    count = 0;
  }
  const uint8_t* successor(uint64_t i) const { return states.data() + i * state_bytes; }

  // Results. states holds `count` packed successors at stride state_bytes (plus slack past the end).
  uint64_t state_bytes;
  uint64_t count = 0;
  uint64_t consumed = 0;     // how many input states were expanded; the rest did not fit
  uint64_t transitions = 0;  // rule instances fired, self-loops included
  // Of a quotient by symmetry: how many states those expanded stand for, and what it took to choose them.
  double orbit_states = 0, canonicalise_seconds = 0;
  UntouchedVector<uint8_t> states;
  UntouchedVector<uint32_t> rules;    // rule instance of each successor
  UntouchedVector<uint32_t> parents;  // number of its parent within the call
  std::vector<Failure> failures;
  // Kept over reset(): one byte a property, a cover seen to hold; one byte a premise, seen to hold.
  std::vector<uint8_t> covered, premises;

  std::unique_ptr<ExpansionScratch> scratch;  // null until a model needs it
};

class Model {
 public:
  virtual ~Model() = default;
  virtual const ModelInfo& info() const = 0;

  // Gives the initial states (duplicates possible; `rules` holds the start state's number), which may be more than fit
  // anywhere: each time that `out` has no room for another one it calls full(), which takes them all, and
  // goes on with an empty `out`. The last ones are in `out` when it returns. full() may call the model with
  // another Expansion.
  using Full = std::function<void()>;
  virtual void starts(Expansion& out, const Full& full) const = 0;
  // All of them at once; `out` has room for info().max_initial.
  void initial(Expansion& out) const { starts(out, nullptr); }
  // Expands states[0..n), in order, as long as the successors of the next state surely fit; sets out.consumed
  // (at least 1 when n > 0 and the capacity is at least info().max_successors). Successors that break an
  // assumption are dropped.
  virtual void expand(const uint8_t* states, uint64_t n, Expansion& out) const = 0;
  // Checks the properties of states[0..n) without expanding.
  virtual void check(const uint8_t* states, uint64_t n, Expansion& out) const = 0;

  // The values of the atomic propositions that the model was loaded with, bit i for proposition i, in each of
  // states[0..n). What cannot be evaluated is a failure.
  virtual void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                            std::vector<Failure>& failures) const;
  // Whether each of states[0..n) is accepting, for searches that look for cycles with such a state.
  virtual void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const;
  // What the model offers beyond this. The answer does not change while the model exists.
  virtual Capabilities capabilities() const { return {}; }
  const Symmetry* symmetry() const { return capabilities().symmetry; }

  virtual Value describe(const uint8_t* state) const = 0;
  virtual InstanceName rule_name(uint32_t rule) const = 0;
  virtual InstanceName start_name(uint32_t start) const = 0;
  virtual FailureText describe_failure(const Failure& failure) const = 0;
};

}  // namespace strata
