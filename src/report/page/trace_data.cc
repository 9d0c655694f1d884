#include "report/page/trace_data.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

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

 private:
  std::map<Key, size_t> numbers_;
  Json list_ = Json::array();
};

// The process of step number `place` of a rule: a step begins with its name, "P_0: idle -> busy".
std::string process_name(const ModelInfo& info, const RuleInfo& rule, size_t place) {
  const std::string& step = info.steps[rule.steps[place]].name;
  return step.substr(0, step.find(": "));
}

// The values of the parameters, in order, from ", p:Proc_1, v:2".
Json parameter_values(const RuleInfo& rule, const std::string& parameters) {
  Json values = Json::array();
  size_t begin = 0;
  for (const RuleParameter& parameter : rule.parameters) {
    const std::string head = ", " + parameter.name + ":";
    const size_t at = parameters.find(head, begin);
    if (at == std::string::npos) return Json::array();
    begin = at + head.size();
    values.push_back(parameters.substr(begin, parameters.find(", ", begin) - begin));
  }
  return values;
}

Json access_json(const RuleAccess& access) {
  Json index = nullptr;
  if (access.index == RuleAccess::Index::other) index = "?";
  if (access.index == RuleAccess::Index::parameter) index = access.parameter;
  return Json::array({access.path, std::move(index), access.inside, access.write});
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
    sink(",\"rules\":" + compact_json(rules_.list()) + ",\"families\":" + compact_json(families_.list()) +
         ",\"processes\":" + compact_json(processes_.list()) + "}");
  }

 private:
  Json firing(uint32_t rule, bool start) {
    Json out;
    const InstanceName name = start ? model_.start_name(rule) : model_.rule_name(rule);
    out["r"] = rules_.number({rule, start}, [&] { return rule_json(rule, name, start); });
    out["p"] = Json::array();
    if (start) return out;
    const std::optional<size_t> number = table_.rule_of(rule);
    if (!number) return out;
    std::vector<uint32_t> movers;
    table_.processes_of(rule, movers);
    const RuleInfo& info = model_.info().rules[*number];
    for (size_t i = 0; i < std::min(movers.size(), info.steps.size()); ++i)
      out["p"].push_back(
          processes_.number(movers[i], [&] { return Json(process_name(model_.info(), info, i)); }));
    return out;
  }

  Json rule_json(uint32_t rule, const InstanceName& name, bool start) {
    Json out = {{"name", name.name}};
    if (name.parameters.starts_with(", ")) out["parameters"] = name.parameters.substr(2);
    const std::optional<size_t> number = start ? std::nullopt : table_.rule_of(rule);
    if (!number) return out;
    const RuleInfo& info = model_.info().rules[*number];
    if (info.position.line != 0) out["line"] = info.position.line;
    if (info.accesses.empty() && info.actor.empty()) return out;
    out["family"] = families_.number(*number, [&] { return family_json(info); });
    out["values"] = parameter_values(info, name.parameters);
    return out;
  }

  static Json family_json(const RuleInfo& rule) {
    Json out = {{"parameters", Json::array()}, {"accesses", Json::array()}, {"actor", rule.actor}};
    for (const RuleParameter& parameter : rule.parameters)
      out["parameters"].push_back(Json::array({parameter.name, parameter.type, parameter.chosen}));
    for (const RuleAccess& access : rule.accesses) out["accesses"].push_back(access_json(access));
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
  Numbers<size_t> families_;
  Numbers<uint32_t> processes_;
  Value before_;
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
