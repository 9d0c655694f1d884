#include "report/saved/saved_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kDeepest = 1000;
// Propositions are the bits of a number.
constexpr size_t kMostPropositions = 64;
// Where tools that write no "rule" tell which action was taken.
constexpr const char* kActions[] = {"mbt::actionTaken", "action_taken", "actionTaken", "_action"};

// How steps are called of which the file tells nothing.
constexpr const char *kStart = "start", *kStep = "step";

struct BadTrace {
  std::string message;
};

std::string at(const std::string& place, const std::string& key) { return place + "." + key; }
std::string at(const std::string& place, size_t index) { return fmt::format("{}[{}]", place, index); }

[[noreturn]] void refuse(const std::string& place, const std::string& message) {
  throw BadTrace{place + ": " + message};
}

bool is_special(const Json& value) {
  return value.is_object() && value.size() == 1 && value.begin().key().starts_with("#");
}

Value symbol_value(std::string text) {
  Value value;
  value.kind = Value::Kind::symbol;
  value.symbol = std::move(text);
  return value;
}

Value integer_value(int64_t number) {
  Value value;
  value.kind = Value::Kind::integer;
  value.number = number;
  return value;
}

// A value in one line, as an index shows it.
std::string value_text(const Value& value) {
  if (value.members.empty() && value.kind < Value::Kind::record) return value.text();
  std::string out;
  for (const auto& [name, member] : value.members) {
    out += out.empty() ? "" : ", ";
    if (value.kind == Value::Kind::record) out += name + ": ";
    out += value_text(member);
  }
  return value.kind == Value::Kind::multiset ? "{" + out + "}" : "(" + out + ")";
}

// Values of one file.
class ValueReader {
 public:
  // Strata's lists are multisets; those of others are sequences.
  explicit ValueReader(bool lists_are_multisets) : lists_are_multisets_(lists_are_multisets) {}

  Value read(const Json& json, const std::string& place, size_t depth = 0) const {
    if (depth > kDeepest) refuse(place, fmt::format("values are nested more than {} deep", kDeepest));
    switch (json.type()) {
      case Json::value_t::null: return {};
      case Json::value_t::boolean: {
        Value value = integer_value(json.get<bool>() ? 1 : 0);
        value.kind = Value::Kind::boolean;
        return value;
      }
      case Json::value_t::string: return symbol_value(json.get<std::string>());
      case Json::value_t::number_integer: return integer_value(json.get<int64_t>());
      case Json::value_t::number_unsigned:
        return json.get<uint64_t>() > INT64_MAX ? symbol_value(json.dump())
                                                : integer_value(json.get<int64_t>());
      case Json::value_t::array:
        return list(json, place, depth, lists_are_multisets_ ? Value::Kind::multiset : Value::Kind::array);
      case Json::value_t::object:
        return is_special(json) ? special(json, place, depth) : record(json, place, depth);
      default: refuse(place, fmt::format("{} is no value of a trace; numbers are integers", json.dump()));
    }
  }

  // A record of all members but #meta.
  Value record(const Json& json, const std::string& place, size_t depth = 0) const {
    Value value;
    value.kind = Value::Kind::record;
    for (const auto& [name, member] : json.items())
      if (name != "#meta") value.members.emplace_back(name, read(member, at(place, name), depth + 1));
    return value;
  }

 private:
  Value list(const Json& json, const std::string& place, size_t depth, Value::Kind kind) const {
    if (!json.is_array()) refuse(place, "this is to be a list");
    Value value;
    value.kind = kind;
    for (size_t i = 0; i < json.size(); ++i)
      value.members.emplace_back(std::to_string(i), read(json[i], at(place, i), depth + 1));
    return value;
  }

  Value map(const Json& json, const std::string& place, size_t depth) const {
    if (!json.is_array()) refuse(place, "a #map is a list of pairs");
    Value value;
    value.kind = Value::Kind::array;
    for (size_t i = 0; i < json.size(); ++i) {
      if (!json[i].is_array() || json[i].size() != 2) refuse(at(place, i), "a #map is a list of pairs");
      value.members.emplace_back(value_text(read(json[i][0], at(place, i), depth + 1)),
                                 read(json[i][1], at(place, i), depth + 1));
    }
    return value;
  }

  Value special(const Json& json, const std::string& place, size_t depth) const {
    const auto first = json.begin();
    const std::string& key = first.key();
    const Json& inner = first.value();
    const std::string here = at(place, key);
    if (key == "#bigint") return big_integer(inner, here);
    if (key == "#tup") return list(inner, here, depth, Value::Kind::array);
    if (key == "#set") return list(inner, here, depth, Value::Kind::multiset);
    if (key == "#map") return map(inner, here, depth);
    if (key == "#unserializable")
      return inner == "undefined" ? Value()
                                  : symbol_value(inner.is_string() ? inner.get<std::string>() : inner.dump());
    if (key == "#meta") return record(json, place, depth);
    refuse(here, "this is none of #bigint, #tup, #set, #map and #unserializable");
  }

  static Value big_integer(const Json& inner, const std::string& place) {
    if (!inner.is_string()) refuse(place, "the digits of a #bigint are to be a text");
    const std::string text = inner.get<std::string>();
    const size_t digits = text.starts_with("-") ? 1 : 0;
    if (text.size() == digits || text.find_first_not_of("0123456789", digits) != std::string::npos)
      refuse(place, fmt::format("\"{}\" is no integer", text));
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? integer_value(number)
                                                                    : symbol_value(text);
  }

  const bool lists_are_multisets_;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("-0123456789") == std::string::npos;
}

// Who moves by a rule, as far as its words tell: the processes of DVE's steps, else the value of the first parameter.
std::vector<std::string> movers(const InstanceName& name) {
  std::vector<std::string> found;
  for (size_t begin = 0; begin != std::string::npos; begin = name.name.find(", ", begin)) {
    begin += begin == 0 ? 0 : 2;
    const size_t colon = name.name.find(": ", begin), arrow = name.name.find(" -> ", begin);
    if (colon == std::string::npos || arrow == std::string::npos || colon > arrow) return {};
    found.push_back(name.name.substr(begin, colon - begin));
  }
  return found;
}

std::string first_value(const InstanceName& name) {
  const size_t colon = name.parameters.find(':');
  if (colon == std::string::npos) return name.name;
  const size_t end = std::min(name.parameters.find(", ", colon), name.parameters.size());
  const std::string value = name.parameters.substr(colon + 1, end - colon - 1);
  return is_number(value) ? name.parameters.substr(2, end - 2) : value;
}

Status bad_json(const SourceFile& file, const Json::parse_error& error) {
  // The library's words begin with its own position.
  const std::string what = error.what();
  const size_t words = what.find(": ");
  Diagnostics diagnostics(file);
  diagnostics.error(file.position(std::min<size_t>(error.byte > 0 ? error.byte - 1 : 0, file.text().size())),
                    "this is no JSON: " + (words == std::string::npos ? what : what.substr(words + 2)));
  return diagnostics.status();
}

}  // namespace

class SavedTraceReader {
 public:
  explicit SavedTraceReader(const std::string& path) { trace_.info_.path = path; }

  SavedTrace read(const Json& file) {
    if (!file.is_object() || !file.contains("states") || !file["states"].is_array())
      refuse("the file", "a trace is an object with a list \"states\"");
    const Json& states = file["states"];
    if (states.empty()) refuse("states", "the trace has no state");
    const auto has_rule = [](const Json& state) { return meta_of(state).contains("rule"); };
    const ValueReader values(std::any_of(states.begin(), states.end(), has_rule));
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

  void read_meta(const Json& meta, const Json& first) {
    const std::string description = text_in(meta, "description"), status = text_in(meta, "status");
    trace_.counterexample_.text.message = !description.empty() ? description
                                          : !status.empty()    ? status
                                                               : "a saved trace";
    const std::string source = text_in(meta, "source");
    if (source.ends_with(".dve") || source.ends_with(".mdve")) trace_.info_.language = "dve";
    if (!source.empty()) trace_.info_.constants.emplace_back("source of the trace", source);
    const auto propositions = meta_of(first).find("propositions");
    if (propositions == meta_of(first).end() || !propositions->is_object()) return;
    for (const auto& [name, value] : propositions->items())
      if (trace_.propositions_.size() < kMostPropositions) trace_.propositions_.push_back(name);
  }

  static std::optional<std::vector<std::string>> variables_of(const Json& file) {
    const auto vars = file.find("vars");
    if (vars == file.end()) return std::nullopt;
    if (!vars->is_array()) refuse("vars", "this is to be a list of names");
    std::vector<std::string> names;
    for (const Json& name : *vars) {
      if (!name.is_string()) refuse(at("vars", names.size()), "this is to be a name");
      names.push_back(name.get<std::string>());
    }
    return names;
  }

  void read_state(const Json& json, const std::string& place,
                  const std::optional<std::vector<std::string>>& variables, const ValueReader& values) {
    if (!json.is_object()) refuse(place, "a state is an object with a value for each variable");
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
    return number == 0 ? kStart : kStep;
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
    std::vector<std::string> names = movers(name);
    const bool start = trace_.counterexample_.steps.empty() || text == kStep;
    if (names.empty() && !start) names = {first_value(name)};
    for (const std::string& mover : names) rule.processes.push_back(process_number(mover));
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

InstanceName split_rule(const std::string& text) {
  // From the end: ", name:value" with no blank behind the colon is a parameter.
  size_t end = text.size();
  for (size_t comma = text.rfind(", "); comma != std::string::npos && comma > 0;
       comma = text.rfind(", ", comma - 1)) {
    const size_t colon = text.find(':', comma);
    const bool parameter = colon != std::string::npos && colon < end && colon > comma + 2 &&
                           colon + 1 < end && text[colon + 1] != ' ' && text.find(' ', comma + 2) > colon;
    if (!parameter) break;
    end = comma;
  }
  // As Strata calls what has no name.
  std::string name = text.substr(0, end);
  const size_t words = name.find_last_not_of("0123456789") + 1;
  const std::string head = words < name.size() ? name.substr(0, words) : "";
  const bool named = head != "Rule " && head != "Startstate " && name != kStart && name != kStep;
  return {std::move(name), text.substr(end), named};
}

Result<SavedTrace> SavedTrace::read(const SourceFile& file) {
  try {
    return SavedTraceReader(file.name()).read(Json::parse(file.text()));
  } catch (const Json::parse_error& error) {
    return bad_json(file, error);
  } catch (const Json::exception& error) {
    return Status::model(fmt::format("{}: {}\n", file.name(), error.what()));
  } catch (const BadTrace& bad) {
    return Status::model(fmt::format("{}: {}\n", file.name(), bad.message));
  }
}

Value SavedTrace::describe(const uint8_t* state) const {
  uint64_t number = 0;
  std::memcpy(&number, state, sizeof number);
  return states_[number];
}

void SavedTrace::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                              std::vector<Failure>&) const {
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t number = 0;
    std::memcpy(&number, states + i * sizeof number, sizeof number);
    values[i] = truths_[number];
  }
}

InstanceName SavedTrace::rule_name(uint32_t rule) const { return rules_[rule]; }

}  // namespace strata
