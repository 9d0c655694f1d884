#include "report/json/json_report.h"

#include <algorithm>
#include <utility>

#include "model/rule_table.h"
#include "report/json/coverage.h"
#include "report/json/json_stream.h"
#include "report/json/value_json.h"
#include "report/progress/forecast_json.h"
#include "report/trace/step_puts.h"
#include "report/trace/trace_text.h"

namespace strata {
namespace {

using Json = JsonStream::Json;

// A failing rule, or a guard that could not be evaluated, is a step without a state.
void give_steps(const Model& model, const Counterexample& counterexample, const JsonStream::Element& give) {
  const StepPuts puts(model);
  const RuleTable table(model.info());
  const size_t end = counterexample.steps.size();
  const uint32_t failing = counterexample.failure.rule;
  for (size_t i = 0; i < end + (failing != kNoRule ? 1 : 0); ++i) {
    const uint32_t rule = i < end ? counterexample.steps[i].rule : failing;
    Json step = {{"rule", i == 0 ? model.start_name(rule).text() : model.rule_name(rule).text()}};
    const SourcePosition position = i == 0 ? SourcePosition{} : table.position_of(rule);
    if (position.line != 0) step.update({{"line", position.line}, {"column", position.column}});
    step["state"] = i < end ? to_json(model.describe(counterexample.steps[i].state.data())) : Json(nullptr);
    if (i == end && counterexample.failure.in_guard && end > 0) step["guard"] = true;
    if (std::string text = puts.of(counterexample, i); !text.empty()) step["put"] = std::move(text);
    give(step);
  }
}

Json counterexample_json(const Model& model, const Counterexample& counterexample, JsonStream& stream) {
  if (!counterexample.has_path()) return nullptr;
  Json object;
  object["length"] = counterexample.length();
  object["loop"] = counterexample.loop ? Json(*counterexample.loop) : Json(nullptr);
  if (counterexample.loop && counterexample.loop_rule != kNoRule)
    object["loop_rule"] = model.rule_name(counterexample.loop_rule).text();
  object["steps"] =
      stream.list([&](const JsonStream::Element& give) { give_steps(model, counterexample, give); });
  return object;
}

bool has_kind(const ModelInfo& info, const Failure& failure, PropertyKind kind) {
  return failure.kind == Failure::Kind::property && failure.detail < info.properties.size() &&
         info.properties[failure.detail].kind == kind;
}

Json error_json(const Model& model, const Counterexample& counterexample) {
  const SourcePosition position = counterexample.text.position;
  Json entry;
  entry["kind"] = error_kind(model.info(), counterexample);
  entry["message"] = counterexample.text.message;
  entry["position"] =
      position.line == 0
          ? Json(nullptr)
          : Json{{"file", model.info().path}, {"line", position.line}, {"column", position.column}};
  entry["length"] = counterexample.length();
  if (!counterexample.cause.empty()) {
    entry["bound"] = Json::object();
    for (const auto& [name, value] : counterexample.cause.bound) entry["bound"][name] = value;
    entry["reads"] = counterexample.cause.reads;
  }
  return entry;
}

void give_errors(const Model& model, const SearchResult& result, JsonStream& stream,
                 const JsonStream::Element& give) {
  for (const Counterexample& counterexample : result.counterexamples) {
    Json entry = error_json(model, counterexample);
    // If there is only one error, its path is already the object's "counterexample".
    if (result.counterexamples.size() > 1)
      entry["counterexample"] = counterexample_json(model, counterexample, stream);
    give(entry);
  }
}

const char* stop_text(StopReason stop) {
  switch (stop) {
    case StopReason::none: return nullptr;
    case StopReason::memory: return "memory";
    case StopReason::disk: return "disk";
    case StopReason::time: return "time";
    case StopReason::bound: return "bound";
    case StopReason::interrupted: return "interrupted";
  }
  return nullptr;
}

Json cover_list(const ModelInfo& info, const SearchResult& result) {
  const bool complete = result.verdict == Verdict::holds || !result.missed_covers.empty();
  Json list = Json::array();
  for (uint32_t i = 0; i < info.properties.size(); ++i) {
    if (info.properties[i].kind != PropertyKind::cover) continue;
    const bool missed = std::count(result.missed_covers.begin(), result.missed_covers.end(), i) > 0;
    list.push_back({{"name", info.properties[i].name}, {"hit", complete ? Json(!missed) : Json(nullptr)}});
  }
  return list;
}

Json forecast_list(const SearchResult& result) {
  Json list = Json::array();
  for (const Forecast& forecast : result.forecasts) {
    list.push_back({{"share", forecast.share}});
    list.back().update(forecast_json(forecast));
  }
  return list;
}

Json seconds_json(const TimeShares& seconds) {
  Json object = {{"compile", seconds.compile},   {"search", seconds.search},
                 {"generate", seconds.generate}, {"insert", seconds.insert},
                 {"detect", seconds.detect},     {"io", seconds.io},
                 {"queue", seconds.queue},       {"partition", seconds.partition}};
  if (seconds.canonicalise > 0) object["canonicalise"] = seconds.canonicalise;
  return object;
}

// Totals over the ranks, and how evenly the work was distributed.
Json cluster_json(const SearchResult& result) {
  Json each = Json::array();
  for (const RankReport& rank : result.ranks)
    each.push_back({{"rank", each.size()},
                    {"host", rank.host},
                    {"states", rank.states},
                    {"successors", rank.successors},
                    {"foreign", rank.foreign},
                    {"sent", rank.sent},
                    {"cache_hits", rank.foreign - rank.sent},
                    {"bytes_sent", rank.bytes_sent},
                    {"bytes_received", rank.bytes_received},
                    {"batches_sent", rank.batches_sent},
                    {"batches_received", rank.batches_received},
                    {"waiting", rank.waiting}});
  const RankTotals totals = total_of(result.ranks);
  const RankReport& sum = totals.sum;
  return {{"ranks", result.ranks.size()},
          {"per_rank", std::move(each)},
          {"total",
           {{"states", sum.states},
            {"successors", sum.successors},
            {"foreign", sum.foreign},
            {"sent", sum.sent},
            {"bytes_sent", sum.bytes_sent},
            {"batches_sent", sum.batches_sent},
            {"waiting", sum.waiting}}},
          {"balance", totals.balance},
          {"travelled", totals.travelled},
          {"bytes_per_state", totals.bytes_per_state}};
}

Json device_json(const SearchResult& result) {
  if (!result.device) return nullptr;
  const DeviceReport& device = *result.device;
  Json object = {{"name", device.name},
                 {"driver", device.driver},
                 {"architecture", device.architecture},
                 {"memory", {{"total", device.memory}, {"used", device.used}, {"plan", Json::object()}}},
                 {"compile_seconds", device.compile_seconds},
                 {"kernels_cached", device.kernels_found},
                 {"kernels_swapped", device.kernels_swapped},
                 {"registers", device.registers},
                 {"local_bytes", device.local_bytes},
                 {"blocks", device.blocks},
                 {"slots", device.slots},
                 {"capacity", device.capacity},
                 {"table_load", device.table_load}};
  for (const auto& [name, bytes] : device.plan) object["memory"]["plan"][name] = bytes;
  return object;
}

Json folding_json(const SearchResult& result) {
  if (!result.folding) return {{"mode", "off"}};
  const Folding& folding = *result.folding;
  Json object = {{"mode", folding.given_up ? "given up" : "on"},
                 {"key_bytes", folding.key_bytes},
                 {"leaves", folding.leaves},
                 {"nodes", folding.nodes},
                 {"node_bytes", folding.node_bytes}};
  if (result.states != 0 && !folding.given_up)
    object["bytes_per_state"] = static_cast<double>(folding.key_bytes) +
                                static_cast<double>(folding.node_bytes) / static_cast<double>(result.states);
  return object;
}

Json resumption_list(const RunInfo& run) {
  Json list = Json::array();
  for (const Resumption& resumption : run.resumptions)
    list.push_back({{"seconds", resumption.seconds}, {"states", resumption.states}});
  return list;
}

Json checkpoint_json(const CheckpointInfo& checkpoint) {
  Json object = {
      {"folder", checkpoint.folder},        {"every", checkpoint.every},   {"made", checkpoint.made},
      {"seconds", checkpoint.seconds},      {"stands", checkpoint.stands}, {"states", checkpoint.states},
      {"at_seconds", checkpoint.at_seconds}};
  return object;
}

Json symmetry_json(const Symmetry* symmetry, const SearchResult& result) {
  if (symmetry == nullptr) return {{"mode", "off"}, {"types", Json::array()}};
  Json types = Json::array();
  for (const SymmetricSet& set : symmetry->sets()) types.push_back(set.name);
  Json object = {{"mode", "exact"},
                 {"proved", symmetry->proved()},
                 {"types", types},
                 {"group_size", symmetry->group_size()}};
  if (const std::optional<uint64_t> states = orbit_states(symmetry, result)) object["orbit_states"] = *states;
  return object;
}

void add_statistics(Json& object, const ModelInfo& info, const SearchResult& result, JsonStream& stream) {
  object["states"] = result.states;
  object["transitions"] = result.transitions;
  object[result.levels_exact ? "depth" : "depth_at_most"] = result.depth;
  object["levels"] = stream.list([&](const JsonStream::Element& give) {
    for (const uint64_t size : result.levels) give(size);
  });
  object["levels_exact"] = result.levels_exact;
  object["state_bits"] = info.state_bits;
  object["state_bytes"] = info.state_bytes;
  object["expansions"] = result.expansions;
  object["seconds"] = seconds_json(result.seconds);
  object["memory"] = {{"budget", result.memory_budget}, {"peak_rss", result.peak_rss}};
  object["memory"]["plan"] = Json::object();
  for (const auto& [name, bytes] : result.memory_plan) object["memory"]["plan"][name] = bytes;
  object["disk"] = {{"peak", result.disk_peak}, {"read", result.disk_read}, {"written", result.disk_written}};
  if (!result.disk_access.empty()) object["disk"]["access"] = result.disk_access;
  object["detections"] = {{"full", result.full_detections},
                          {"partial", result.partial_detections},
                          {"delayed", result.delayed_detections}};
}

// Names in a model may contain any bytes; bytes that are not UTF-8 are shown as U+FFFD.
std::string text_of(const Json& object) {
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string checked_text(const ModelInfo& info, const RunInfo& run) {
  if (!run.property.empty()) return run.property;
  std::string out;
  for (const PropertyInfo& property : info.properties) {
    if (property.kind == PropertyKind::invariant) out += "invariant \"" + property.name + "\"; ";
    if (property.kind == PropertyKind::liveness) out += "liveness \"" + property.name + "\"; ";
  }
  if (run.deadlock != DeadlockMode::off) out += std::string("deadlock ") + deadlock_name(run.deadlock) + "; ";
  return out + "assertions";
}

const char* error_kind(const ModelInfo& info, const Counterexample& counterexample) {
  if (counterexample.loop || has_kind(info, counterexample.failure, PropertyKind::liveness))
    return "liveness";
  switch (counterexample.text.verdict) {
    case FailureText::Verdict::invariant:
      return has_kind(info, counterexample.failure, PropertyKind::cover) ? "cover" : "invariant";
    case FailureText::Verdict::deadlock: return "deadlock";
    case FailureText::Verdict::assertion: return "assertion";
    case FailureText::Verdict::error: return "error";
  }
  return "error";
}

std::string json_running(const std::string& version, const std::string& model) {
  return text_of({{"strata", version},
                  {"schema", kReportSchema},
                  {"model", model},
                  {"verdict", "running"},
                  {"stop", nullptr},
                  {"reason", nullptr},
                  {"stop_message", "the run is not done, or was killed"}});
}

std::string json_interrupted(const std::string& version, const std::string& model,
                             const std::string& message) {
  return text_of({{"strata", version},
                  {"schema", kReportSchema},
                  {"model", model},
                  {"verdict", verdict_name(Verdict::incomplete)},
                  {"stop", stop_text(StopReason::interrupted)},
                  {"reason", reason_name(Reason::interrupted)},
                  {"stop_message", message}});
}

namespace {

Json plain_errors(const Model& model, const SearchResult& result) {
  Json list = Json::array();
  for (const Counterexample& counterexample : result.counterexamples)
    list.push_back(error_json(model, counterexample));
  return list;
}

void add_stop(Json& object, const SearchResult& result) {
  const char* stop = stop_text(result.stop);
  object["stop"] = stop == nullptr ? Json(nullptr) : Json(stop);
  const char* reason = reason_name(result.reason);
  object["reason"] = reason == nullptr ? Json(nullptr) : Json(reason);
  object["stop_message"] = stop == nullptr ? Json(nullptr) : Json(result.stop_message);
}

// One of the "properties".
Json property_json(const Answered& answered) {
  const auto& [model, result, run] = answered;
  Json object = {{"name", run.name},
                 {"property", checked_text(model.info(), run)},
                 {"verdict", verdict_name(result.verdict)},
                 {"exit_code", exit_code(result)},
                 {"algorithm", run.algorithm},
                 {"exact", result.exact},
                 {"states", result.states},
                 {"transitions", result.transitions},
                 {"seconds", result.seconds.search}};
  add_stop(object, result);
  object["errors"] = plain_errors(model, result);
  return object;
}

void add_paths(const Answered& answered, Json& object, JsonStream& stream) {
  const auto& [model, result, run] = answered;
  object["counterexample"] = result.counterexamples.empty()
                                 ? Json(nullptr)
                                 : counterexample_json(model, result.counterexamples.front(), stream);
  if (result.witness) object["witness"] = counterexample_json(model, *result.witness, stream);
}

Json report_object(const Model& model, const SearchResult& result, const RunInfo& run, JsonStream& stream) {
  const ModelInfo& info = model.info();
  Json object;
  object["strata"] = run.version;
  object["schema"] = kReportSchema;
  object["model"] = info.path;
  object["language"] = info.language;
  object["property"] = checked_text(info, run);
  object["algorithm"] = run.algorithm;
  object["parameters"] = Json::object();
  for (const auto& [name, value] : result.parameters) object["parameters"][name] = value;
  object["store"] = store_name(run.store);
  object["symmetry"] = symmetry_json(run.symmetry, result);
  object["folding"] = folding_json(result);
  object["device"] = device_json(result);
  if (!result.ranks.empty()) object["cluster"] = cluster_json(result);
  object["verdict"] = verdict_name(result.verdict);
  object["exact"] = result.exact;
  object["omission_probability"] = result.omission_probability;
  object["missed_error_probability"] = result.missed_error_probability;
  add_statistics(object, info, result, stream);
  add_paths({model, result, run}, object, stream);
  if (!result.levels_exact && object["counterexample"].is_object())
    object["counterexample"]["longer_by_at_most"] = result.longer_by_at_most;
  object["threads"] = run.threads;
  add_stop(object, result);
  object["resumed"] = run.resumptions.size();
  if (!run.resumptions.empty()) object["resumptions"] = resumption_list(run);
  if (run.checkpoint) object["checkpoint"] = checkpoint_json(*run.checkpoint);
  object["errors"] =
      stream.list([&](const JsonStream::Element& give) { give_errors(model, result, stream, give); });
  object["covers"] = cover_list(info, result);
  object["coverage"] = coverage_json(info, result, stream);
  object["forecast"] = forecast_list(result);
  for (const auto& [name, detail] : result.details) {
    std::visit([&object, &key = name](const auto& value) { object["details"][key] = value; }, detail);
  }
  return object;
}

}  // namespace

Json report_without_steps(const Answers& answers, JsonStream& stream) {
  const auto& [model, result, run] = answers.main();
  Json object = report_object(model, result, run, stream);
  for (const char* path : {"counterexample", "witness"})
    if (object.contains(path) && object[path].is_object()) object[path].erase("steps");
  object["errors"] = plain_errors(model, result);
  object["properties"] = Json::array();
  for (const Answered& answered : answers.all) object["properties"].push_back(property_json(answered));
  return object;
}

void write_json_report(const Answers& answers, const TextSink& sink) {
  JsonStream stream;
  const auto& [model, result, run] = answers.main();
  Json object = report_object(model, result, run, stream);
  object["properties"] = stream.list([&](const JsonStream::Element& give) {
    for (const Answered& answered : answers.all) {
      Json property = property_json(answered);
      // The path of a run with one property is the object's own.
      if (answers.several()) add_paths(answered, property, stream);
      give(property);
    }
  });
  stream.write(object, sink);
  sink("\n");
}

std::string json_report(const Model& model, const SearchResult& result, const RunInfo& run) {
  return gather_text([&](const TextSink& sink) { write_json_report({{{model, result, run}}}, sink); });
}

}  // namespace strata
