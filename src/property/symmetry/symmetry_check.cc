#include "property/symmetry/symmetry_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "explore/trace/starts.h"

namespace strata {
namespace {

using State = std::vector<uint8_t>;

// What comes of a state, without the names of rule instances: (rule, successor), and (rule, kind, detail) of what fails.
struct Behaviour {
  std::vector<std::pair<uint32_t, State>> successors;
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> failures;
  uint64_t propositions = 0;
};

class Checker {
 public:
  Checker(const Model& model, const SymmetryCheck& check)
      : model_(model),
        symmetry_(*model.symmetry()),
        check_(check),
        random_(check.seed),
        out_(model.info(), std::max<uint64_t>(model.info().max_successors, 1)) {
    for (const RuleInfo& rule : model.info().rules) rule_ends_.push_back(end_of_last_rule() + rule.instances);
  }

  Status run(const std::atomic<bool>& stop) {
    State state;
    for (uint64_t done = 0; done < check_.states && !stop.load(std::memory_order_relaxed); ++done) {
      if (state.empty()) state = some_start();
      if (state.empty()) return {};
      const Behaviour own = behaviour(state);
      if (Status status = compare(state, own); !status.ok()) return status;
      state = own.successors.empty() ? State() : own.successors[random_.below(own.successors.size())].second;
    }
    return {};
  }

 private:
  uint64_t end_of_last_rule() const { return rule_ends_.empty() ? 0 : rule_ends_.back(); }
  uint32_t rule_of(uint32_t instance) const {
    if (instance == kNoRule) return kNoRule;
    const auto found = std::upper_bound(rule_ends_.begin(), rule_ends_.end(), instance);
    return static_cast<uint32_t>(found - rule_ends_.begin());
  }

  // Any of some start states, which are chosen at the first call: there may be many.
  State some_start() {
    constexpr uint64_t kMost = 32;
    Expansion starts = start_expansion(model_.info());
    uint64_t seen = 0;
    const auto choose = [&] {
      for (uint64_t i = 0; i < starts.count; ++i) {
        const uint64_t place = starts_.size() < kMost ? starts_.size() : random_.below(seen + 1);
        ++seen;
        if (place == starts_.size()) starts_.emplace_back();
        if (place < starts_.size())
          starts_[place].assign(starts.successor(i), starts.successor(i) + starts.state_bytes);
      }
    };
    if (starts_.empty()) each_start(model_, starts, choose);
    return starts_.empty() ? State() : starts_[random_.below(starts_.size())];
  }

  Behaviour behaviour(const State& state) {
    Behaviour result;
    out_.reset();
    out_.emit_self_loops = true;
    out_.check_properties = true;
    out_.deadlock = check_.deadlock;
    model_.expand(state.data(), 1, out_);
    for (uint64_t i = 0; i < out_.count; ++i)
      result.successors.emplace_back(rule_of(out_.rules[i]),
                                     State(out_.successor(i), out_.successor(i) + out_.state_bytes));
    for (const Failure& f : out_.failures)
      result.failures.emplace_back(rule_of(f.rule), static_cast<uint32_t>(f.kind), f.detail);
    std::vector<Failure> failures;
    if (check_.propositions) model_.propositions(state.data(), 1, &result.propositions, failures);
    for (const Failure& f : failures)
      result.failures.emplace_back(kNoRule, static_cast<uint32_t>(f.kind), f.detail);
    std::sort(result.failures.begin(), result.failures.end());
    return result;
  }

  // One set at a time is permuted, so that a difference is one of that set.
  Status compare(const State& state, const Behaviour& own) {
    uint64_t base = 0;
    for (const SymmetricSet& set : symmetry_.sets()) {
      std::vector<uint8_t> permutation = some_permutation(base, set);
      if (Status status = compare(state, own, permutation, set); !status.ok()) return status;
      base += set.size;
    }
    return {};
  }
  std::vector<uint8_t> some_permutation(uint64_t base, const SymmetricSet& set) {
    std::vector<uint8_t> permutation;
    for (const SymmetricSet& each : symmetry_.sets())
      for (uint32_t i = 0; i < each.size; ++i) permutation.push_back(static_cast<uint8_t>(i));
    for (uint64_t i = set.size - 1; i > 0; --i)
      std::swap(permutation[base + i], permutation[base + random_.below(i + 1)]);
    return permutation;
  }
  State permuted(const State& state, const std::vector<uint8_t>& permutation) const {
    State result(state.size());
    symmetry_.permute(state.data(), permutation.data(), result.data());
    return result;
  }

  Status compare(const State& state, const Behaviour& own, const std::vector<uint8_t>& permutation,
                 const SymmetricSet& set) {
    const State other = permuted(state, permutation);
    Behaviour theirs = behaviour(other);
    std::vector<std::pair<uint32_t, State>> expected = own.successors;
    for (auto& [rule, successor] : expected) successor = permuted(successor, permutation);
    std::sort(expected.begin(), expected.end());
    std::sort(theirs.successors.begin(), theirs.successors.end());
    if (expected != theirs.successors)
      return difference(set, state, other, "successors", different_rule(expected, theirs.successors));
    if (own.failures != theirs.failures)
      return difference(set, state, other, "errors", different_rule(own.failures, theirs.failures));
    if (own.propositions != theirs.propositions)
      return difference(set, state, other, "propositions", kNoRule);
    return {};
  }
  // The rule of the first entry that one list has and the other one has not.
  template <class Entry>
  static uint32_t different_rule(const std::vector<Entry>& a, const std::vector<Entry>& b) {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const Entry& entry = x == a.end() || (y != b.end() && *y < *x) ? *y : *x;
    return std::get<0>(entry);
  }

  std::string text_of(const State& state) const {
    std::string text;
    for (const Leaf& leaf : leaves(model_.describe(state.data())))
      text += fmt::format("  {}:{}\n", leaf.path, leaf.text);
    return text;
  }
  Status difference(const SymmetricSet& set, const State& state, const State& other, const char* what,
                    uint32_t rule) const {
    const RuleInfo* info = rule == kNoRule ? nullptr : &model_.info().rules[rule];
    const std::string where = info == nullptr ? ""
                                              : fmt::format(" of rule \"{}\" ({}:{})", info->name,
                                                            model_.info().path, info->position.line);
    return Status::model(fmt::format(
        "{}: the model does not treat the values of {} alike: two states that differ only in their names "
        "have different "
        "{}{}, so a search by symmetry would miss states; --symmetry off checks the model as it is\n"
        "One state:\n{}The other one:\n{}",
        model_.info().path, set.name, what, where, text_of(state), text_of(other)));
  }

  const Model& model_;
  const Symmetry& symmetry_;
  const SymmetryCheck& check_;
  Random random_;
  Expansion out_;
  std::vector<State> starts_;
  std::vector<uint64_t> rule_ends_;  // the number behind the last instance of each rule
};

}  // namespace

Status check_symmetry(const Model& model, const SymmetryCheck& check, const std::atomic<bool>& stop) {
  return Checker(model, check).run(stop);
}

}  // namespace strata
