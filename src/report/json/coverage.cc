#include "report/json/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/trace/trace_text.h"

namespace strata {
namespace {

using Json = JsonStream::Json;

// If more names are missing, only --coverage full lists them all.
constexpr size_t kMostListed = 20;

std::string place_text(const ModelInfo& info, SourcePosition position) {
  return position.line == 0 ? "" : fmt::format(", {}:{}", info.path, position.line);
}

bool is_checked(PropertyKind kind) {
  return kind == PropertyKind::invariant || kind == PropertyKind::assertion;
}

std::string plural(uint64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

// The units of coverage: steps, or rules if the model has no steps.
std::vector<CoveredRule> units(const ModelInfo& info, const Coverage& coverage) {
  return info.steps.empty() ? covered_rules(info, coverage) : covered_steps(info, coverage);
}

std::vector<CoveredRule> never_fired(const ModelInfo& info, const Coverage& coverage) {
  std::vector<CoveredRule> all = units(info, coverage);
  all.erase(std::remove_if(all.begin(), all.end(), [](const CoveredRule& rule) { return rule.fired > 0; }),
            all.end());
  return all;
}

std::string never_fired_lines(const ModelInfo& info, const SearchResult& result) {
  const std::vector<CoveredRule> missing = never_fired(info, result.coverage);
  if (missing.empty()) return "";
  const bool steps = !info.steps.empty();
  const size_t all = steps ? info.steps.size() : info.rules.size();
  std::string out = fmt::format("\t{} of {} never fired{}:\n", missing.size(),
                                plural(all, steps ? "transition" : "rule", steps ? "transitions" : "rules"),
                                saw_all_states(result) ? "" : " in the part explored");
  for (size_t i = 0; i < std::min(missing.size(), kMostListed); ++i)
    out += fmt::format("\t  {}{}\n", missing[i].title, place_text(info, missing[i].position));
  if (missing.size() > kMostListed)
    out +=
        fmt::format("\t  and {} more, which --coverage full and --json list\n", missing.size() - kMostListed);
  return out;
}

std::string trivial_lines(const ModelInfo& info, const SearchResult& result) {
  std::string out;
  for (const TrivialInvariant& trivial : trivial_invariants(info, result)) {
    const PropertyInfo& property = info.properties[trivial.property];
    const char* kind = property.kind == PropertyKind::assertion ? "Assertion" : "Invariant";
    const std::string name = property.named ? fmt::format("{} \"{}\"", kind, property.name) : property.name;
    if (trivial.reason == TrivialInvariant::Reason::constant) {
      out += fmt::format("\t{} was trivially true: it does not depend on the state{}\n", name,
                         place_text(info, property.position));
      continue;
    }
    const size_t n = trivial.premises.size();
    const std::string which = !trivial.wholly
                                  ? (n == 1 ? "one" : fmt::format("{}", n)) + " of its premises never"
                              : n == 1 ? "its premise never"
                                       : "none of its premises ever";
    out += fmt::format("\t{} was trivially true{}: {} held{}\n", name, trivial.wholly ? "" : " in part",
                       which, place_text(info, trivial.premises[0]));
  }
  return out;
}

// In the format of CMurphi's -pr, with additions.
std::string rule_lines(const ModelInfo& info, const Coverage& coverage) {
  std::string out = "\nRules Information:\n\n";
  for (const CoveredRule& rule : covered_rules(info, coverage))
    out += fmt::format("\tFired {}\t- {} in {}{}\n", plural(rule.fired, "time", "times"), rule.title,
                       plural(rule.states, "state", "states"), place_text(info, rule.position));
  if (coverage.stuttered > 0)
    out += fmt::format("\tFired {}\t- Stuttering\n", plural(coverage.stuttered, "time", "times"));
  return out;
}

Json place_json(SourcePosition position) {
  if (position.line == 0) return {{"line", nullptr}, {"column", nullptr}};
  return {{"line", position.line}, {"column", position.column}};
}

Json rule_json(const CoveredRule& rule, bool with_states) {
  Json object = {{"name", rule.name}};
  object.update(place_json(rule.position));
  object["fired"] = rule.fired;
  if (with_states) object["states"] = rule.states;
  return object;
}

Json trivial_json(const ModelInfo& info, const TrivialInvariant& trivial) {
  const PropertyInfo& property = info.properties[trivial.property];
  Json object = {{"name", property.name}};
  object.update(place_json(property.position));
  object["reason"] = trivial.reason == TrivialInvariant::Reason::constant ? "constant" : "premise";
  object["wholly"] = trivial.wholly;
  object["premises"] = Json::array();
  for (const SourcePosition position : trivial.premises) object["premises"].push_back(place_json(position));
  return object;
}

}  // namespace

bool saw_all_states(const SearchResult& result) {
  const bool complete = result.verdict == Verdict::holds || !result.missed_covers.empty();
  return complete && !result.witness;
}

std::vector<CoveredRule> covered_rules(const ModelInfo& info, const Coverage& coverage) {
  std::vector<CoveredRule> all;
  for (size_t i = 0; i < std::min(coverage.rules.size(), info.rules.size()); ++i) {
    const RuleInfo& rule = info.rules[i];
    all.push_back({InstanceName{rule.name, "", rule.named}.title("Rule"), rule.name, rule.position,
                   coverage.rules[i].fired, coverage.rules[i].states});
  }
  return all;
}

std::vector<CoveredRule> covered_steps(const ModelInfo& info, const Coverage& coverage) {
  std::vector<CoveredRule> all;
  for (const StepInfo& step : info.steps) all.push_back({step.name, step.name, step.position});
  for (size_t i = 0; i < std::min(coverage.rules.size(), info.rules.size()); ++i) {
    for (const uint32_t step : info.rules[i].steps) {
      all[step].fired += coverage.rules[i].fired;
      all[step].states += coverage.rules[i].states;
    }
  }
  return all;
}

std::vector<TrivialInvariant> trivial_invariants(const ModelInfo& info, const SearchResult& result) {
  std::vector<TrivialInvariant> all;
  if (!saw_all_states(result)) return all;
  for (uint32_t i = 0; i < info.properties.size(); ++i) {
    if (!is_checked(info.properties[i].kind)) continue;
    if (info.properties[i].constant) {
      all.push_back({i, TrivialInvariant::Reason::constant, {}, true});
      continue;
    }
    TrivialInvariant trivial{i, TrivialInvariant::Reason::premise, {}, true};
    for (size_t k = 0; k < result.coverage.premises.size(); ++k) {
      if (info.premises[k].property != i) continue;
      if (result.coverage.premises[k] == 0)
        trivial.premises.push_back(info.premises[k].position);
      else
        trivial.wholly = false;
    }
    if (!trivial.premises.empty()) all.push_back(std::move(trivial));
  }
  return all;
}

std::string coverage_section(const ModelInfo& info, const SearchResult& result, CoverageMode mode) {
  if (mode == CoverageMode::off || result.coverage.rules.empty() || result.states == 0) return "";
  std::string out = mode == CoverageMode::full ? rule_lines(info, result.coverage) : "";
  // A search that stopped at an error has not seen the rest of the states.
  const bool searched_on = result.counterexamples.empty() || saw_all_states(result);
  const std::string lines =
      searched_on && !result.witness ? never_fired_lines(info, result) + trivial_lines(info, result) : "";
  return lines.empty() ? out : out + "\nCoverage:\n\n" + lines;
}

Json coverage_json(const ModelInfo& info, const SearchResult& result, JsonStream& stream) {
  Json object = {{"whole", saw_all_states(result)}};
  const auto list = [&](std::vector<CoveredRule> rules, bool with_states) {
    return stream.list([rules = std::move(rules), with_states](const JsonStream::Element& give) {
      for (const CoveredRule& rule : rules) give(rule_json(rule, with_states));
    });
  };
  std::vector<CoveredRule> rules = covered_rules(info, result.coverage);
  if (result.coverage.stuttered > 0)
    rules.push_back({"", "Stuttering", {}, result.coverage.stuttered, result.coverage.stuttered});
  object["rules"] = list(std::move(rules), true);
  if (!info.steps.empty()) object["transitions"] = list(covered_steps(info, result.coverage), false);
  object["never_fired"] = Json::array();
  for (const CoveredRule& rule : never_fired(info, result.coverage)) {
    object["never_fired"].push_back({{"name", rule.name}});
    object["never_fired"].back().update(place_json(rule.position));
  }
  object["trivially_true"] = Json::array();
  for (const TrivialInvariant& trivial : trivial_invariants(info, result))
    object["trivially_true"].push_back(trivial_json(info, trivial));
  return object;
}

}  // namespace strata
