#include "report/ci/sarif.h"

#include <algorithm>
#include <array>
#include <utility>

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

// Descriptions of the kinds of findings.
constexpr std::array<std::pair<const char*, const char*>, 10> kKinds = {{
    {"invariant", "A state violates an invariant, or a formula that needs no loop to be refuted."},
    {"cover", "A cover is reached by no state."},
    {"deadlock", "A state has no successor but itself."},
    {"assertion", "An assertion fails, or an error statement is reached."},
    {"error", "A run-time error in the model: a value out of range, an undefined value, a division by zero."},
    {"liveness", "An infinite path, or a state from which a condition cannot be reached."},
    {"model", "The model does not parse or type-check."},
    {"incomplete", "The search ended before all states were visited."},
    {"failure", "The check could not be run."},
    {"expectation", "The outcome is not the one that the suite expects."},
}};

// A path as a URI, percent-encoded.
std::string uri(const std::string& path) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/._-~+").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out.starts_with('/') ? "file://" + out : out;
}

Json location(const std::string& file, uint32_t line, uint32_t column) {
  Json place = {{"artifactLocation", {{"uri", uri(file)}}}};
  if (line != 0) place["region"] = {{"startLine", line}, {"startColumn", column}};
  return {{"physicalLocation", std::move(place)}};
}

// What a viewer steps through: each step at the place of its rule, with the values that it changes. The last one is the
// place of the finding. Of a long path, the first steps are left out, and the flow says so.
Json code_flow(const RunRecord& run, const RunRecord::Finding& finding) {
  Json locations = Json::array();
  const auto add = [&](Json place, const std::string& words) -> Json& {
    place["message"] = {{"text", words}};
    Json& added = locations.emplace_back(Json{{"location", std::move(place)}});
    added["executionOrder"] = locations.size();
    return added;
  };
  uint64_t number = finding.first_step;
  for (const RunRecord::Step& step : finding.steps) {
    Json& added = add(location(run.model, step.line, step.column),
                      "Step " + std::to_string(number++) + ": " + step.rule);
    for (const auto& [path, value] : step.values) added["state"][path] = {{"text", value}};
  }
  if (!finding.file.empty()) add(location(finding.file, finding.line, finding.column), finding.message);
  const Json steps = {{"locations", std::move(locations)}};
  Json flow = {{"threadFlows", Json::array({steps})}};
  if (finding.first_step != 0)
    flow["message"]["text"] = "The last " + std::to_string(finding.steps.size()) + " of " +
                              std::to_string(number) + " steps; the first ones are left out.";
  return flow;
}

Json result_of(const RunRecord& run, const RunRecord::Finding& finding) {
  Json result = {{"ruleId", finding.kind},
                 {"level", finding.kind == "incomplete" ? "warning" : "error"},
                 {"message", {{"text", finding.message}}}};
  result["locations"] = Json::array();
  if (!finding.file.empty())
    result["locations"].push_back(location(finding.file, finding.line, finding.column));
  if (!finding.steps.empty()) result["codeFlows"] = Json::array({code_flow(run, finding)});
  Json properties = {{"case", run.name}, {"verdict", run.verdict}, {"states", run.states}};
  if (finding.length) properties["length"] = *finding.length;
  result["properties"] = std::move(properties);
  return result;
}

}  // namespace

std::string sarif_report(const std::string& version, const std::vector<RunRecord>& runs) {
  Json rules = Json::array(), results = Json::array();
  for (const auto& [kind, text] : kKinds)
    rules.push_back({{"id", kind}, {"shortDescription", {{"text", text}}}});
  bool done = true;
  for (const RunRecord& run : runs) {
    done = done && run.verdict != "rejected";
    // An expected error is not a finding.
    if (run.expected.value_or(false)) continue;
    for (const RunRecord::Finding& finding : run.findings) results.push_back(result_of(run, finding));
  }
  const Json tool = {{"driver", {{"name", "Strata"}, {"version", version}, {"rules", rules}}}};
  Json one = {{"tool", tool}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  one["invocations"] = Json::array({{{"executionSuccessful", done}}});
  const Json object = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", Json::array({one})}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace strata
