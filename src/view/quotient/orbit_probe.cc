#include "view/quotient/orbit_probe.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {
namespace {

template <class T>
void sort_once(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

OrbitProbe::OrbitProbe(const Model& model, bool propositions)
    : model_(model),
      symmetry_(*model.symmetry()),
      propositions_(propositions),
      out_(model.info(), std::max<uint64_t>(model.info().max_successors, 1)) {
  uint64_t end = 0;
  for (const RuleInfo& rule : model.info().rules) rule_ends_.push_back(end += rule.instances);
}

uint32_t OrbitProbe::rule_of(uint32_t instance) const {
  if (instance == kNoRule) return kNoRule;
  const auto found = std::upper_bound(rule_ends_.begin(), rule_ends_.end(), instance);
  return static_cast<uint32_t>(found - rule_ends_.begin());
}

OrbitProbe::Behaviour OrbitProbe::behaviour(const uint8_t* state, DeadlockMode deadlock) {
  Behaviour result;
  out_.reset();
  out_.emit_self_loops = true;
  out_.check_properties = true;
  out_.deadlock = deadlock;
  model_.expand(state, 1, out_);
  for (uint64_t i = 0; i < out_.count; ++i) {
    result.states.emplace_back(out_.successor(i), out_.successor(i) + out_.state_bytes);
    result.rules.push_back(rule_of(out_.rules[i]));
    State orbit = result.states.back();
    symmetry_.canonicalise(orbit.data(), 1);
    result.orbits.emplace_back(result.rules.back(), std::move(orbit));
  }
  std::vector<Failure> failures = out_.failures;
  if (propositions_) model_.propositions(state, 1, &result.propositions, failures);
  for (const Failure& f : failures) result.failing.push_back(rule_of(f.rule));
  sort_once(result.orbits);
  sort_once(result.failing);
  return result;
}

std::vector<uint8_t> OrbitProbe::some_permutation(uint64_t base, const SymmetricSet& set,
                                                  Random& random) const {
  std::vector<uint8_t> permutation;
  for (const SymmetricSet& each : symmetry_.sets())
    for (uint32_t i = 0; i < each.size; ++i) permutation.push_back(static_cast<uint8_t>(i));
  // Moves every element (Sattolo 1986): the identity would show nothing.
  for (uint64_t i = set.size - 1; i > 0; --i)
    std::swap(permutation[base + i], permutation[base + random.below(i)]);
  return permutation;
}

std::string OrbitProbe::compare(const uint8_t* state, DeadlockMode deadlock, Random& random) {
  own_ = behaviour(state, deadlock);
  uint64_t base = 0;
  State other(model_.info().state_bytes);
  for (const SymmetricSet& set : symmetry_.sets()) {
    symmetry_.permute(state, some_permutation(base, set, random).data(), other.data());
    const Behaviour theirs = behaviour(other.data(), deadlock);
    if (own_.orbits != theirs.orbits || own_.failing != theirs.failing ||
        own_.propositions != theirs.propositions)
      return difference(set, state, other, theirs);
    base += set.size;
  }
  return "";
}

std::string OrbitProbe::text_of(const uint8_t* state) const {
  std::string text;
  for (const Leaf& leaf : leaves(model_.describe(state)))
    text += fmt::format("  {}:{}\n", leaf.path, leaf.text);
  return text;
}

// The rule of the first entry that only one of the lists has.
std::optional<uint32_t> OrbitProbe::different_rule(const Behaviour& theirs) const {
  const auto first = [](const auto& a, const auto& b, const auto& rule) -> std::optional<uint32_t> {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (x == a.end() && y == b.end()) return std::nullopt;
    const uint32_t found = rule(x == a.end() || (y != b.end() && *y < *x) ? *y : *x);
    return found == kNoRule ? std::nullopt : std::optional(found);
  };
  if (own_.orbits != theirs.orbits)
    return first(own_.orbits, theirs.orbits, [](const auto& e) { return e.first; });
  return first(own_.failing, theirs.failing, [](uint32_t e) { return e; });
}

// The effects of the rule on the two states, in words.
std::string OrbitProbe::different_successors(const Behaviour& theirs, std::optional<uint32_t> rule) const {
  if (!rule) return "";
  const auto successor = [&](const Behaviour& of, const Behaviour& beside) -> std::string {
    for (size_t i = 0; i < of.states.size(); ++i) {
      if (of.rules[i] != *rule) continue;
      State orbit = of.states[i];
      symmetry_.canonicalise(orbit.data(), 1);
      const std::pair<uint32_t, State> entry(*rule, std::move(orbit));
      if (!std::binary_search(beside.orbits.begin(), beside.orbits.end(), entry))
        return text_of(of.states[i].data());
    }
    const auto fired = std::find(of.rules.begin(), of.rules.end(), *rule);
    if (fired == of.rules.end()) return "  none\n";
    return text_of(of.states[static_cast<size_t>(fired - of.rules.begin())].data());
  };
  return fmt::format("The rule makes of the one state:\n{}and of the other one:\n{}", successor(own_, theirs),
                     successor(theirs, own_));
}

std::string OrbitProbe::difference(const SymmetricSet& set, const uint8_t* state, const State& other,
                                   const Behaviour& theirs) const {
  const char* const what = own_.orbits != theirs.orbits     ? "successors"
                           : own_.failing != theirs.failing ? "errors"
                                                            : "propositions";
  const std::optional<uint32_t> rule = different_rule(theirs);
  const RuleInfo* const info = rule ? &model_.info().rules[*rule] : nullptr;
  const std::string where = info == nullptr ? ""
                                            : fmt::format(" of rule \"{}\" ({}:{})", info->name,
                                                          model_.info().path, info->position.line);
  return fmt::format(
      "{}: the model does not treat the values of {} alike: two states that differ only in their names have "
      "different {}{}, so a search by symmetry would miss states; --symmetry off checks the model as it is\n"
      "One state:\n{}The other one:\n{}{}",
      model_.info().path, set.name, what, where, text_of(state), text_of(other.data()),
      different_successors(theirs, rule));
}

}  // namespace strata
