#include "report/ci/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "report/json/json_report.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using Finding = RunRecord::Finding;

Finding finding_of(const ModelInfo& info, const Counterexample& error) {
  Finding finding;
  finding.kind = error_kind(info, error);
  finding.message = error.text.message;
  finding.file = info.path;
  finding.line = error.text.position.line;
  finding.column = error.text.position.column;
  if (error.has_path()) finding.length = error.length();
  return finding;
}

Finding incomplete(const std::string& model, const std::string& message) {
  return {"incomplete", "Search incomplete: " + message, model, 0, 0, std::nullopt};
}

// Takes "12:" from the beginning of a text.
bool take_number(std::string_view& text, uint32_t& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest == end || *rest != ':') return false;
  text.remove_prefix(static_cast<size_t>(rest + 1 - text.data()));
  return true;
}

// A line "model.m:12:7: message" of a front end.
std::optional<Finding> diagnostic(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos || std::isspace(static_cast<unsigned char>(line[0])))
    return std::nullopt;
  Finding finding{"model", "", std::string(line.substr(0, colon)), 0, 0, std::nullopt};
  line.remove_prefix(colon + 1);
  if (!take_number(line, finding.line) || !take_number(line, finding.column) || !line.starts_with(' '))
    return std::nullopt;
  finding.message = line.substr(1);
  return finding;
}

// The messages of a front end, each followed by lines that show the position.
std::vector<Finding> diagnostics(const std::string& model, const std::string& text) {
  std::vector<Finding> findings;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (std::optional<Finding> found = diagnostic(std::string_view(text).substr(begin, end - begin)))
      findings.push_back(std::move(*found));
    begin = end + 1;
  }
  if (findings.empty()) findings.push_back({"model", text, model, 0, 0, std::nullopt});
  return findings;
}

constexpr int kRejected = 150;

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

template <class T>
T value_or(const Json& object, const char* name, T fallback) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? fallback : found->get<T>();
}

KnownDepth reported_depth(const Json& report, uint64_t states) {
  if (report.contains("depth_at_most")) return {KnownDepth::Kind::at_most, report.at("depth_at_most")};
  if (!report.contains("depth") || (report.value("levels", Json::array()).empty() && states > 0)) return {};
  return {KnownDepth::Kind::exact, report.at("depth")};
}

void add_errors(RunRecord& record, const Json& report) {
  for (const Json& error : report.value("errors", Json::array())) {
    Finding finding{
        error.at("kind"), error.at("message"), record.model, 0, 0, error.at("length").get<uint64_t>()};
    if (const Json& place = error.at("position"); place.is_object()) {
      finding.file = place.at("file");
      finding.line = place.at("line");
      finding.column = place.at("column");
    }
    record.findings.push_back(std::move(finding));
  }
}

}  // namespace

RunRecord record_result(const Model& model, const SearchResult& result, const RunInfo& run, int exit_code) {
  RunRecord record;
  record.name = record.model = model.info().path;
  record.property = checked_text(model.info(), run);
  record.verdict = verdict_name(result.verdict);
  record.exit_code = exit_code;
  record.seconds = result.seconds.compile + result.seconds.search;
  record.states = result.states;
  record.transitions = result.transitions;
  record.depth = known_depth(result);
  for (const Counterexample& error : result.counterexamples)
    record.findings.push_back(finding_of(model.info(), error));
  if (result.stop != StopReason::none || result.verdict == Verdict::incomplete)
    record.findings.push_back(incomplete(record.model, result.stop_message));
  return record;
}

RunRecord record_failure(const std::string& model, const Status& status, int exit_code) {
  RunRecord record;
  record.name = record.model = model;
  record.verdict = "rejected";
  record.exit_code = exit_code;
  if (status.code() == StatusCode::model)
    record.findings = diagnostics(model, status.message());
  else
    record.findings.push_back({"failure", trimmed(status.message()), model, 0, 0, std::nullopt});
  return record;
}

RunRecord record_process(const std::string& model, const Json& report, int exit_code,
                         const std::string& errors) {
  if (!report.is_object() || report.value("verdict", "running") == "running") {
    const StatusCode code = exit_code == kRejected ? StatusCode::model : StatusCode::system;
    return record_failure(
        model, Status(code, errors.empty() ? fmt::format("exit code {}", exit_code) : errors), exit_code);
  }
  RunRecord record;
  record.name = record.model = model;
  record.exit_code = exit_code;
  record.verdict = report.at("verdict");
  record.property = value_or<std::string>(report, "property", "");
  record.states = value_or<uint64_t>(report, "states", 0);
  record.transitions = value_or<uint64_t>(report, "transitions", 0);
  record.depth = reported_depth(report, record.states);
  if (report.contains("seconds")) {
    const Json& seconds = report.at("seconds");
    record.seconds = value_or<double>(seconds, "compile", 0) + value_or<double>(seconds, "search", 0);
  }
  add_errors(record, report);
  if (const std::string why = value_or<std::string>(report, "stop_message", ""); !why.empty())
    record.findings.push_back(incomplete(record.model, why));
  return record;
}

}  // namespace strata
