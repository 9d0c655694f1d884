#include "report/page/trace_data.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text/is_number.h"
#include "model/rule_table.h"
#include "report/json/value_json.h"
#include "report/trace/step_puts.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

bool has_members(const Value& value) {
  return value.kind == Value::Kind::record || value.kind == Value::Kind::array;
}

// Whether the members can be compared one by one.
bool same_shape(const Value& a, const Value& b) {
  return a.kind == b.kind && has_members(a) &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

void collect_changes(const Value& before, const Value& after, Json& path, Json& out) {
  if (!same_shape(before, after)) {
    if (before != after) out.push_back(Json::array({path, page_value(after)}));
    return;
  }
  for (size_t i = 0; i < after.members.size(); ++i) {
    path.push_back(i);
    collect_changes(before.members[i].second, after.members[i].second, path, out);
    path.erase(path.size() - 1);
  }
}

// The numbers of things in the order in which they are first met.
template <class Key>
class Numbers {
 public:
  // Calls make(), which describes it, for one that is new.
  template <class Make>
  size_t number(const Key& key, const Make& make) {
    const auto [place, added] = numbers_.try_emplace(key, numbers_.size());
    if (added) list_.push_back(make());
    return place->second;
  }
  const Json& list() const { return list_; }
  void rename(const Key& key, const std::string& name) {
    if (const auto found = numbers_.find(key); found != numbers_.end()) list_[found->second] = name;
  }

 private:
  std::map<Key, size_t> numbers_;
  Json list_ = Json::array();
};

// ", p:Proc_1, v:2" as (name, value) of the first parameter.
std::optional<std::pair<std::string, std::string>> first_parameter(const std::string& parameters) {
  const size_t colon = parameters.find(':');
  if (!parameters.starts_with(", ") || colon == std::string::npos) return std::nullopt;
  const size_t end = std::min(parameters.find(", ", colon), parameters.size());
  return std::pair(parameters.substr(2, colon - 2), parameters.substr(colon + 1, end - colon - 1));
}

// The process number `place` of those that move by the rule with this number, as users know it. Where rules are made
// of steps, a step begins with the name of its process, "P_0: idle -> busy"; elsewhere the value of the first parameter
// is the process.
std::string process_name(const ModelInfo& info, std::optional<size_t> rule, const InstanceName& name,
                         size_t place) {
  if (rule && place < info.rules[*rule].steps.size()) {
    const std::string& step = info.steps[info.rules[*rule].steps[place]].name;
    return step.substr(0, step.find(": "));
  }
  const auto parameter = first_parameter(name.parameters);
  if (!parameter) return name.name;
  return is_integer(parameter->second) ? parameter->first + ":" + parameter->second : parameter->second;
}

// The words with which both begin; of none, what the other is.
std::string common_words(const std::optional<std::string>& known, const std::string& text) {
  if (!known) return text;
  const auto [end, other] = std::mismatch(known->begin(), known->end(), text.begin(), text.end());
  if (end == known->end() && other == text.end()) return text;
  const size_t same = static_cast<size_t>(end - known->begin());
  const size_t blank = known->substr(0, same + 1).rfind(' ');
  return blank == std::string::npos ? "" : known->substr(0, blank);
}

class TraceWriter {
 public:
  TraceWriter(const Model& model, const Counterexample& counterexample,
              const std::vector<std::string>& propositions)
      : model_(model),
        counterexample_(counterexample),
        propositions_(propositions),
        table_(model.info()),
        puts_(model) {}

  void write(const TraceKind& kind, const TextSink& sink) {
    const std::vector<TraceStep>& steps = counterexample_.steps;
    const std::optional<uint64_t>& loop = counterexample_.loop;
    const uint32_t loop_rule = counterexample_.loop_rule;
    sink("{\"title\":" + compact_json(kind.title) + ",\"kind\":" + compact_json(kind.name));
    sink(",\"loop\":" + (loop ? std::to_string(*loop) : "null") + ",\"steps\":[");
    for (size_t i = 0; i < steps.size(); ++i) sink((i == 0 ? "\n" : ",\n") + compact_json(step(i)));
    sink("],\"loop_step\":" +
         compact_json(loop && loop_rule != kNoRule ? firing(loop_rule, false) : Json(nullptr)));
    sink(",\"failing\":" + compact_json(failing()));
    sink(",\"bound\":" + compact_json(counterexample_.cause.bound_text()) +
         ",\"reads\":" + compact_json(counterexample_.cause.reads));
    sink(",\"propositions\":" + compact_json(propositions_));
    if (lone_words_) processes_.rename(kLone, lone_words_->empty() ? "other rules" : *lone_words_);
    sink(",\"rules\":" + compact_json(rules_.list()) + ",\"processes\":" + compact_json(processes_.list()) +
         "}");
  }

 private:
  Json firing(uint32_t rule, bool start) {
    Json out;
    const InstanceName name = start ? model_.start_name(rule) : model_.rule_name(rule);
    out["r"] = rules_.number({rule, start}, [&] { return rule_json(rule, name, start); });
    out["p"] = Json::array();
    if (start) return out;
    std::vector<uint32_t> movers;
    table_.processes_of(rule, movers);
    for (size_t i = 0; i < movers.size(); ++i) {
      const std::string process = process_name(model_.info(), table_.rule_of(rule), name, i);
      const bool lone = process == name.name;
      if (lone) lone_words_ = common_words(lone_words_, process);
      out["p"].push_back(processes_.number(lone ? kLone : movers[i], [&] { return Json(process); }));
    }
    return out;
  }

  Json rule_json(uint32_t rule, const InstanceName& name, bool start) const {
    Json out = {{"name", name.name}};
    if (name.parameters.starts_with(", ")) out["parameters"] = name.parameters.substr(2);
    const std::optional<size_t> number = start ? std::nullopt : table_.rule_of(rule);
    if (number && model_.info().rules[*number].position.line != 0)
      out["line"] = model_.info().rules[*number].position.line;
    return out;
  }

  Json step(size_t i) {
    const TraceStep& at = counterexample_.steps[i];
    Value state = model_.describe(at.state.data());
    Json out = firing(at.rule, i == 0);
    if (!propositions_.empty()) out["t"] = truths(at.state);
    out["c"] = i == 0 ? Json::array({Json::array({Json::array(), page_value(state)})})
                      : page_changes(before_, state);
    if (const std::string put = puts_.of(counterexample_, i); !put.empty()) out["put"] = put;
    before_ = std::move(state);
    return out;
  }

  std::string truths(const std::vector<uint8_t>& state) const {
    uint64_t values = 0;
    std::vector<Failure> failures;
    model_.propositions(state.data(), 1, &values, failures);
    std::string out;
    for (size_t i = 0; i < propositions_.size(); ++i)
      out += !failures.empty() ? '?' : values >> i & 1u ? '1' : '0';
    return out;
  }

  Json failing() {
    const Failure& failure = counterexample_.failure;
    if (failure.rule == kNoRule) return nullptr;
    Json out = firing(failure.rule, counterexample_.steps.empty());
    out["guard"] = failure.in_guard && !counterexample_.steps.empty();
    out["message"] = counterexample_.text.message;
    out["line"] = counterexample_.text.position.line;
    return out;
  }

  const Model& model_;
  const Counterexample& counterexample_;
  const std::vector<std::string>& propositions_;
  const RuleTable table_;
  const StepPuts puts_;
  Numbers<std::pair<uint32_t, bool>> rules_;
  Numbers<uint32_t> processes_;
  Value before_;
  // Rules without a parameter are processes of their own, but one lifeline together: mostly they are the parts of one.
  static constexpr uint32_t kLone = UINT32_MAX;
  std::optional<std::string> lone_words_;  // with which their names begin
};

}  // namespace

std::string compact_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json page_value(const Value& value) {
  switch (value.kind) {
    case Value::Kind::undefined: return nullptr;
    case Value::Kind::integer:
      if (value.number > -kLargestSafe && value.number < kLargestSafe) return value.number;
      return {{"i", std::to_string(value.number)}};
    case Value::Kind::boolean: return value.number != 0;
    case Value::Kind::symbol: return value.symbol;
    case Value::Kind::record:
    case Value::Kind::array: {
      Json members = Json::array();
      for (const auto& [name, member] : value.members)
        members.push_back(Json::array({name, page_value(member)}));
      return {{value.kind == Value::Kind::record ? "r" : "a", std::move(members)}};
    }
    case Value::Kind::multiset: {
      Json members = Json::array();
      for (const auto& [slot, member] : value.members) members.push_back(page_value(member));
      return {{"m", std::move(members)}};
    }
  }
  return nullptr;
}

Json page_changes(const Value& before, const Value& after) {
  Json path = Json::array(), out = Json::array();
  collect_changes(before, after, path, out);
  return out;
}

void write_trace_data(const Model& model, const Counterexample& counterexample, const TraceKind& kind,
                      const std::vector<std::string>& propositions, const TextSink& sink) {
  TraceWriter(model, counterexample, propositions).write(kind, sink);
}

}  // namespace strata
