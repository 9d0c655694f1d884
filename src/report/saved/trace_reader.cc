#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "report/saved/itf_value.h"
#include "report/saved/rule_words.h"
#include "report/saved/saved_trace.h"
#include "report/saved/trace_mistake.h"

namespace strata {
namespace {

using Json = ItfValueReader::Json;

// Propositions are the bits of a number.
constexpr size_t kMostPropositions = 64;
// The members in which other tools name the action that was taken.
constexpr const char* kActions[] = {"mbt::actionTaken", "action_taken", "actionTaken", "_action"};

Status bad_json(const SourceFile& file, const Json::parse_error& error) {
  // nlohmann's message begins with a position, in its own form.
  const std::string what = error.what();
  const size_t words = what.find(": ");
  Diagnostics diagnostics(file);
  diagnostics.error(file.position(std::min<size_t>(error.byte > 0 ? error.byte - 1 : 0, file.text().size())),
                    "not JSON: " + (words == std::string::npos ? what : what.substr(words + 2)));
  return diagnostics.status();
}

}  // namespace

// Reads a file into a SavedTrace.
class SavedTraceReader {
 public:
  explicit SavedTraceReader(const std::string& path) { trace_.info_.path = path; }

  SavedTrace read(const Json& file) {
    // In a result of --json, "states" is a number.
    if (file.is_object() && file.contains("counterexample") && !file.value("states", Json()).is_array())
      return read(trace_of_result(file));
    if (!file.is_object() || !file.contains("states") || !file["states"].is_array())
      refuse("the file", "a trace must be an object with a list \"states\"");
    const Json& states = file["states"];
    if (states.empty()) refuse("states", "the trace has no state");
    const auto has_rule = [](const Json& state) { return meta_of(state).contains("rule"); };
    const ItfValueReader values(std::any_of(states.begin(), states.end(), has_rule));
    const Json& meta = meta_of(file);
    read_meta(meta, states.front());
    const std::optional<std::vector<std::string>> variables = variables_of(file);
    for (size_t i = 0; i < states.size(); ++i) read_state(states[i], at("states", i), variables, values);
    read_loop(file, meta);
    trace_.info_.state_bytes = sizeof(uint64_t);
    trace_.info_.processes = processes_.size();
    return std::move(trace_);
  }

 private:
  static const Json& meta_of(const Json& object) {
    static const Json none = Json::object();
    if (!object.is_object() || !object.contains("#meta") || !object["#meta"].is_object()) return none;
    return object["#meta"];
  }
  static std::string text_in(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
  }

  // The counterexample, or else the witness, of a result of --json, as an ITF trace.
  static Json trace_of_result(const Json& result) {
    const auto witness = result.find("witness");
    const Json& path =
        result["counterexample"].is_object() || witness == result.end() ? result["counterexample"] : *witness;
    if (!path.is_object() || !path.contains("steps") || !path["steps"].is_array())
      refuse("counterexample", "the result has no path");
    Json trace;
    trace["#meta"] = {{"source", text_in(result, "model")}};
    const auto errors = result.find("errors");
    if (errors != result.end() && errors->is_array() && !errors->empty() && errors->front().is_object())
      trace["#meta"]["description"] = text_in(errors->front(), "message");
    trace["states"] = Json::array();
    for (const Json& step : path["steps"]) {
      if (!step.is_object() || !step.contains("state"))
        refuse(at("steps", trace["states"].size()), "not a step");
      const std::string rule = text_in(step, "rule");
      if (step["state"].is_null()) {
        trace["#meta"]["failing-rule"] = rule;
        continue;
      }
      Json state = without_nulls(step["state"]);
      state["#meta"] = {{"rule", rule}};
      trace["states"].push_back(std::move(state));
    }
    if (path.contains("loop") && path["loop"].is_number_unsigned()) trace["loop"] = path["loop"];
    if (!text_in(path, "loop_rule").empty()) trace["#meta"]["loop-rule"] = text_in(path, "loop_rule");
    return trace;
  }

  // ITF writes an undefined value in another way.
  static Json without_nulls(const Json& value) {
    if (value.is_null()) return {{"#unserializable", "undefined"}};
    Json copy = value;
    if (copy.is_structured())
      for (Json& part : copy) part = without_nulls(part);
    return copy;
  }

  void read_meta(const Json& meta, const Json& first) {
    const std::string description = text_in(meta, "description"), status = text_in(meta, "status");
    trace_.counterexample_.text.message = !description.empty() ? description
                                          : !status.empty()    ? status
                                                               : "a saved trace";
    const std::string source = text_in(meta, "source");
    if (!source.empty()) trace_.info_.constants.emplace_back("source of the trace", source);
    const auto propositions = meta_of(first).find("propositions");
    if (propositions == meta_of(first).end() || !propositions->is_object()) return;
    for (const auto& [name, value] : propositions->items())
      if (trace_.propositions_.size() < kMostPropositions) trace_.propositions_.push_back(name);
  }

  static std::optional<std::vector<std::string>> variables_of(const Json& file) {
    const auto vars = file.find("vars");
    if (vars == file.end()) return std::nullopt;
    if (!vars->is_array()) refuse("vars", "expected a list of names");
    std::vector<std::string> names;
    for (const Json& name : *vars) {
      if (!name.is_string()) refuse(at("vars", names.size()), "expected a name");
      names.push_back(name.get<std::string>());
    }
    return names;
  }

  void read_state(const Json& json, const std::string& place,
                  const std::optional<std::vector<std::string>>& variables, const ItfValueReader& values) {
    if (!json.is_object()) refuse(place, "a state must be an object with a value for each variable");
    for (const std::string& name : variables.value_or(std::vector<std::string>()))
      if (!json.contains(name))
        refuse(place, fmt::format("the variable \"{}\" of \"vars\" has no value here", name));
    const uint64_t number = trace_.states_.size();
    trace_.states_.push_back(values.record(json, place));
    if (number == 0)
      for (const auto& [name, value] : trace_.states_.front().members)
        trace_.info_.variables.push_back({name, "", 0});
    TraceStep step;
    step.rule = rule_number(rule_of(json, number));
    step.state.resize(sizeof number);
    std::memcpy(step.state.data(), &number, sizeof number);
    trace_.counterexample_.steps.push_back(std::move(step));
    read_truths(meta_of(json));
  }

  static std::string rule_of(const Json& state, uint64_t number) {
    if (const std::string rule = text_in(meta_of(state), "rule"); !rule.empty()) return rule;
    for (const char* name : kActions)
      if (const std::string action = text_in(state, name); !action.empty()) return action;
    return number == 0 ? kStartName : kStepName;
  }

  void read_truths(const Json& meta) {
    uint64_t truths = 0;
    const auto given = meta.find("propositions");
    for (size_t i = 0; i < trace_.propositions_.size() && given != meta.end(); ++i)
      if (given->value(trace_.propositions_[i], false)) truths |= uint64_t{1} << i;
    trace_.truths_.push_back(truths);
  }

  void read_loop(const Json& file, const Json& meta) {
    Counterexample& counterexample = trace_.counterexample_;
    if (const std::string rule = text_in(meta, "failing-rule"); !rule.empty()) {
      counterexample.failure.rule = rule_number(rule);
      counterexample.failure.kind = Failure::Kind::runtime;
    }
    const auto loop = file.find("loop");
    if (loop == file.end() || loop->is_null()) return;
    if (!loop->is_number_unsigned() || loop->get<uint64_t>() >= trace_.states_.size())
      refuse("loop", fmt::format("{} is not the number of a state, 0 to {}", loop->dump(),
                                 trace_.states_.size() - 1));
    counterexample.loop = loop->get<uint64_t>();
    if (const std::string rule = text_in(meta, "loop-rule"); !rule.empty())
      counterexample.loop_rule = rule_number(rule);
  }

  uint32_t rule_number(const std::string& text) {
    const auto [place, added] = rules_.try_emplace(text, static_cast<uint32_t>(rules_.size()));
    if (!added) return place->second;
    RuleInfo rule;
    const InstanceName name = split_rule(text);
    rule.name = name.name;
    const bool moves = !trace_.counterexample_.steps.empty() && text != kStepName;
    const std::vector<std::string> steps = moves ? steps_of(name.name) : std::vector<std::string>();
    for (const std::string& step : steps) {
      rule.processes.push_back(process_number(step.substr(0, step.find(": "))));
      rule.steps.push_back(static_cast<uint32_t>(trace_.info_.steps.size()));
      trace_.info_.steps.push_back({step, {}});
    }
    if (moves && steps.empty()) rule.processes = {process_number(first_value(name))};
    trace_.info_.rules.push_back(std::move(rule));
    trace_.rules_.push_back(name);
    return place->second;
  }

  uint32_t process_number(const std::string& name) {
    return processes_.try_emplace(name, static_cast<uint32_t>(processes_.size())).first->second;
  }

  SavedTrace trace_;
  std::map<std::string, uint32_t> rules_, processes_;
};

Result<SavedTrace> SavedTrace::read(const SourceFile& file) {
  try {
    return SavedTraceReader(file.name()).read(Json::parse(file.text()));
  } catch (const Json::parse_error& error) {
    return bad_json(file, error);
  } catch (const Json::exception& error) {
    return Status::model(fmt::format("{}: {}\n", file.name(), error.what()));
  } catch (const TraceMistake& bad) {
    return Status::model(fmt::format("{}: {}\n", file.name(), bad.message));
  }
}

}  // namespace strata
