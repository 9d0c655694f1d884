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

#include "base/source.h"
#include "base/system/memory_map.h"
#include "model/capabilities.h"
#include "model/cause.h"
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

// The left side of an implication that is an invariant, perhaps under quantifiers and conjunctions. If the left side
// never holds, the implication says nothing.
struct PremiseInfo {
  uint32_t property = 0;
  SourcePosition position;
};

struct VariableInfo {
  std::string name;
  std::string type;
  uint64_t bits = 0;
};

// A parameter of a rule, as InstanceName::parameters has it.
struct RuleParameter {
  std::string name;
  std::string type;     // parameters of one type have the same values: "Proc", "1..3"
  bool chosen = false;  // a member of a multiset that the rule chooses
};

// A part of the state that a rule reads or writes, up to the second index: cache[p].line.state is {"cache", parameter
// p, ".line.state"}, and home.phase is {"home.phase", none}.
struct RuleAccess {
  enum class Index { none, parameter, other };
  std::string path;
  Index index = Index::none;
  uint32_t parameter = 0;  // its number in RuleInfo::parameters
  std::string inside;      // the fields behind the first index
  bool write = false;
  friend bool operator==(const RuleAccess&, const RuleAccess&) = default;
};

struct RuleInfo {
  std::string name;
  uint64_t instances = 1;
  SourcePosition position;
  // The processes that move when the rule fires, numbered from 0 to ModelInfo::processes - 1. If process_values is
  // above 1, the first process moves in instances n with n / process_stride % process_values == 0, and the following
  // processes follow in order.
  std::vector<uint32_t> processes;
  uint64_t process_stride = 1, process_values = 1;
  std::vector<uint32_t> steps;  // its parts, by their numbers in ModelInfo::steps
  bool named = true;
  // By these, pictures of a trace tell who acts; empty where the language has processes, or tells nothing.
  std::vector<RuleParameter> parameters{};
  std::vector<RuleAccess> accesses{};
  std::string actor{};  // as the author says it: a parameter or a name; empty: nothing is said
};

// A transition of a process, in languages in which a rule may combine several.
struct StepInfo {
  std::string name;
  SourcePosition position;
};

struct ModelInfo {
  std::string path;
  std::string language;
  uint64_t state_bits = 0;
  uint64_t state_bytes = 0;  // at least 1
  // Upper bounds: of the successors of one state, and of the number of initial states.
  uint64_t max_successors = 0;
  uint64_t max_initial = 0;
  std::vector<VariableInfo> variables;
  std::vector<RuleInfo> rules;
  std::vector<StepInfo> steps;           // empty: each rule is one step
  uint64_t processes = 0;                // how many processes move, for fairness
  std::vector<PropertyInfo> properties;  // with the covers of statements
  std::vector<PremiseInfo> premises;
  std::vector<std::pair<std::string, std::string>> constants;
  DeadlockMode deadlock = DeadlockMode::stuttering;  // unless the user chooses
  bool has_accepting = false;                        // an automaton is part of the model
  bool has_puts = false;                             // some rule may execute `put`
  // Conditions that must stay reachable from every state: goals[i] is the property whose condition is proposition i.
  std::vector<uint32_t> goals;
};

constexpr uint32_t kNoRule = 0xffffffffu;
constexpr uint32_t kNoProperty = 0xffffffffu;

// An error that expand, check or initial found. `state` is the number of the state within the call (initial does not
// set it). `rule` is the rule instance that was firing; kNoRule for a property or deadlock of the state itself; for
// initial, the number of the start state.
struct Failure {
  enum class Kind : uint32_t { property, deadlock, runtime };
  uint32_t state = 0;
  uint32_t rule = kNoRule;
  Kind kind = Kind::property;
  uint32_t detail = 0;  // property: its number in ModelInfo::properties; runtime: a site of the model
  // Further details for the message. They follow from the fields above and the state, so they play no part in whether
  // two failures are the same.
  int64_t value = 0;                 // the value that does not fit, or the instance of the property
  bool in_guard = false;             // runtime: the rule was not fired; its guard could not be evaluated
  uint32_t evaluated = kNoProperty;  // runtime: the property that could not be evaluated
};

// A rule instance or start state in words.
struct InstanceName {
  std::string name;        // "Send"; without a name: the place in the model, "Rule 3"
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
  std::string
      excerpt{};  // of a run-time error: its line, and a caret below its column; empty: the text is not at hand
};

// What a model keeps in an Expansion between calls, such as the buffers of a view.
struct ExpansionScratch {
  virtual ~ExpansionScratch() = default;
};

// What the caller of a model chooses; constant during a search. A struct of its own, so that a view hands on all of it.
struct ExpansionOptions {
  DeadlockMode deadlock = DeadlockMode::stuttering;
  bool check_properties = true;  // check invariants of each expanded state
  bool emit_self_loops = false;  // list successors equal to their parent, too (they are counted in any case)
  bool report_errors = false;    // a run-time error that leads to an error state is a failure as well
  // Receives the text of `put` statements; null: dropped.
  void (*put)(void* context, const char* text, uint64_t length) = nullptr;
  void* put_context = nullptr;
  // If not null: set, before put() is called, to the rule instance or start state that puts the text. kNoRule: not
  // known, for example for a function that a guard calls.
  uint32_t* put_rule = nullptr;
  // Where expand counts the rules that fire; null: nowhere.
  RuleCounts* counts = nullptr;
};

// What one thread gets back from a model; reused for all calls. The caller sets the options once and calls reset()
// before each call.
class Expansion : public ExpansionOptions {
 public:
  Expansion(const ModelInfo& info, uint64_t capacity);

  ExpansionOptions& options() { return *this; }
  const ExpansionOptions& options() const { return *this; }

  void reset();

  uint64_t capacity() const { return rules.size(); }
  // Makes room for one more state, for a model that produces states one by one and may have more than fit.
  void make_room(const std::function<void()>& full) {
    if (count < capacity()) return;
    full();
    count = 0;
  }
  const uint8_t* successor(uint64_t i) const { return states.data() + i * state_bytes; }

  static uint64_t change_words(uint64_t state_bytes) { return (state_bytes + 255) / 256; }

  // Results. states holds `count` packed successors at stride state_bytes (plus slack past the end).
  uint64_t state_bytes;
  uint64_t count = 0;
  uint64_t consumed = 0;     // how many input states were expanded; the rest did not fit
  uint64_t transitions = 0;  // rule instances fired, self-loops included
  // Of a quotient by symmetry: how many states the expanded ones represent, and the seconds spent on choosing
  // representatives.
  double orbit_states = 0, canonicalise_seconds = 0;
  UntouchedVector<uint8_t> states;
  UntouchedVector<uint32_t> rules;    // rule instance of each successor
  UntouchedVector<uint32_t> parents;  // number of its parent within the call
  // A caller that can use them makes room for change_words() of each successor. If expand sets tells_changes, bit i of
  // these tells whether the bytes 4 * i ... 4 * i + 3 of a successor differ from those of its parent.
  UntouchedVector<uint64_t> changes;
  bool tells_changes = false;
  std::vector<Failure> failures;
  // Kept by reset(): one byte for each property, a cover that was seen to hold; one byte for each premise, likewise.
  std::vector<uint8_t> covered, premises;

  std::unique_ptr<ExpansionScratch> scratch;  // null until a model needs it
};

class Model {
 public:
  virtual ~Model() = default;
  virtual const ModelInfo& info() const = 0;

  // Gives the initial states; duplicates are possible, and `rules` has the numbers of start states. There may be more
  // than fit into `out`: each time that `out` is full, starts() calls full(), which takes all of them, and continues
  // with an empty `out`. The last ones are in `out` when it returns. full() may call the model with another Expansion.
  using Full = std::function<void()>;
  virtual void starts(Expansion& out, const Full& full) const = 0;
  // All initial states at once. REQUIRES: `out` has room for info().max_initial.
  void initial(Expansion& out) const { starts(out, nullptr); }
  // Expands states[0..n) in order, until the successors of the next state might not fit; sets out.consumed to the
  // number of expanded states (at least 1 if n > 0 and the capacity is at least info().max_successors). Successors that
  // break an assumption are dropped.
  virtual void expand(const uint8_t* states, uint64_t n, Expansion& out) const = 0;
  // Checks the properties of states[0..n) without expanding.
  virtual void check(const uint8_t* states, uint64_t n, Expansion& out) const = 0;

  // The values of the atomic propositions that the model was loaded with, in each of states[0..n): bit i for
  // proposition i. A proposition that cannot be evaluated is a failure.
  virtual void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                            std::vector<Failure>& failures) const;
  // Whether each of states[0..n) is accepting; for searches for cycles through accepting states.
  virtual void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const;
  // What the model offers beyond this. The answer does not change while the model exists.
  virtual Capabilities capabilities() const { return {}; }
  const Symmetry* symmetry() const { return capabilities().symmetry; }

  virtual Value describe(const uint8_t* state) const = 0;
  virtual InstanceName rule_name(uint32_t rule) const = 0;
  virtual InstanceName start_name(uint32_t start) const = 0;
  virtual FailureText describe_failure(const Failure& failure) const = 0;
  // Why a property fails in a state, and why a proposition has its value there; empty: not known.
  virtual FailureCause explain_failure(const Failure&, const uint8_t* /*state*/) const { return {}; }
  virtual FailureCause explain_proposition(uint32_t /*proposition*/, const uint8_t* /*state*/) const {
    return {};
  }
};

}  // namespace strata
