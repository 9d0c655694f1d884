#include "report/json/itf_trace.h"

#include <charconv>

#include "report/json/json_stream.h"
#include "report/json/value_json.h"
#include "report/trace/trace_text.h"

namespace strata {
namespace {

using Json = JsonStream::Json;

Json integer(int64_t number) {
  if (number > -kLargestSafe && number < kLargestSafe) return number;
  return {{"#bigint", std::to_string(number)}};
}

// The key of a map for an index, which is stored as text: a number or boolean if it is one.
Json map_key(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return integer(number);
  return text;
}

Json to_itf(const Value& value) {
  Json out;
  switch (value.kind) {
    case Value::Kind::undefined: return {{"#unserializable", "undefined"}};
    case Value::Kind::integer: return integer(value.number);
    case Value::Kind::boolean: return value.number != 0;
    case Value::Kind::symbol: return value.symbol;
    case Value::Kind::record:
      out = Json::object();
      for (const auto& [name, member] : value.members) out[name] = to_itf(member);
      return out;
    case Value::Kind::array:
      out["#map"] = Json::array();
      for (const auto& [index, member] : value.members) {
        out["#map"].push_back(Json::array({map_key(index), to_itf(member)}));
      }
      return out;
    case Value::Kind::multiset:
      out = Json::array();
      for (const auto& [slot, member] : value.members) out.push_back(to_itf(member));
      return out;
  }
  return nullptr;
}

Json trace_meta(const Model& model, const Counterexample& counterexample) {
  Json meta;
  meta["format"] = "ITF";
  meta["format-description"] = "https://apalache.informal.systems/docs/adr/015adr-trace.html";
  meta["source"] = model.info().path;
  meta["status"] = counterexample.failed ? "violation" : "ok";
  meta["description"] = failure_line(model.info(), counterexample.text);
  if (counterexample.failure.rule != kNoRule) {
    meta["failing-rule"] = counterexample.steps.empty() ? model.start_name(counterexample.failure.rule).text()
                                                        : model.rule_name(counterexample.failure.rule).text();
  }
  if (counterexample.loop && counterexample.loop_rule != kNoRule)
    meta["loop-rule"] = model.rule_name(counterexample.loop_rule).text();
  return meta;
}

Json truths(const Model& model, const TraceStep& step, const std::vector<std::string>& propositions) {
  uint64_t values = 0;
  std::vector<Failure> failures;
  model.propositions(step.state.data(), 1, &values, failures);
  Json out = Json::object();
  for (size_t i = 0; i < propositions.size() && failures.empty(); ++i)
    out[propositions[i]] = (values >> i & 1u) != 0;
  return out;
}

Json state_json(const Model& model, const TraceStep& step, uint64_t index,
                const std::vector<std::string>& propositions) {
  Json state;
  state["#meta"] = {
      {"index", index},
      {"rule", index == 0 ? model.start_name(step.rule).text() : model.rule_name(step.rule).text()}};
  if (!propositions.empty()) state["#meta"]["propositions"] = truths(model, step, propositions);
  state.update(to_itf(model.describe(step.state.data())));
  return state;
}

}  // namespace

void write_itf_trace(const Model& model, const Counterexample& counterexample, const TextSink& sink,
                     const std::vector<std::string>& propositions) {
  JsonStream stream;
  Json out;
  out["#meta"] = trace_meta(model, counterexample);
  out["vars"] = Json::array();
  for (const VariableInfo& variable : model.info().variables) out["vars"].push_back(variable.name);
  out["states"] = stream.list([&](const JsonStream::Element& give) {
    uint64_t index = 0;
    for (const TraceStep& step : counterexample.steps) give(state_json(model, step, index++, propositions));
  });
  if (counterexample.loop) out["loop"] = *counterexample.loop;
  stream.write(out, sink);
  sink("\n");
}

std::string itf_trace(const Model& model, const Counterexample& counterexample) {
  return gather_text([&](const TextSink& sink) { write_itf_trace(model, counterexample, sink); });
}

}  // namespace strata
