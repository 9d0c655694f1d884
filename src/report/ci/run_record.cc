#include "report/ci/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/diagnostic_line.h"
#include "model/rule_table.h"
#include "report/json/json_report.h"
#include "report/json/value_json.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using Finding = RunRecord::Finding;

// The scalars of a state as the JSON report has it, each with its path: {"a.b.0", "3"}.
using Values = std::vector<std::pair<std::string, std::string>>;
void collect_values(const Json& state, const std::string& path, Values& out) {
  if (!state.is_structured()) {
    out.emplace_back(path, state.is_string() ? state.get<std::string>()
                           : state.is_null() ? "Undefined"
                                             : state.dump());
    return;
  }
  for (const auto& [name, member] : state.items())
    collect_values(member, path.empty() ? name : path + "." + name, out);
}

// Sets the values in which each step differs from the one before it.
class ValueChanges {
 public:
  void next(const Json& state, RunRecord::Step& step) {
    if (!state.is_object()) return;
    Values now;
    collect_values(state, "", now);
    for (const auto& value : now) {
      const auto known = before_.find(value.first);
      if (known == before_.end() || known->second != value.second) step.values.push_back(value);
    }
    before_ = {now.begin(), now.end()};
  }

 private:
  std::map<std::string, std::string> before_;
};

// Calls step(i) for the last of `count` steps, and the state before them.
template <class Make>
std::vector<RunRecord::Step> last_steps(size_t count, const Make& make) {
  std::vector<RunRecord::Step> steps;
  const size_t first = count > RunRecord::kMostSteps ? count - RunRecord::kMostSteps : 0;
  ValueChanges changes;
  for (size_t i = first == 0 ? 0 : first - 1; i < count; ++i) {
    RunRecord::Step step;
    changes.next(make(i, step), step);
    if (i >= first) steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<RunRecord::Step> steps_of(const Model& model, const Counterexample& error) {
  const RuleTable table(model.info());
  const size_t states = error.steps.size();
  const bool fails = error.failure.rule != kNoRule;
  return last_steps(states + (fails ? 1 : 0), [&](size_t i, RunRecord::Step& step) -> Json {
    const uint32_t rule = i < states ? error.steps[i].rule : error.failure.rule;
    const InstanceName name = i == 0 ? model.start_name(rule) : model.rule_name(rule);
    step.rule = name.text();
    if (i > 0) {
      step.line = table.position_of(rule).line;
      step.column = table.position_of(rule).column;
    }
    return i < states ? to_json(model.describe(error.steps[i].state.data())) : Json();
  });
}

std::vector<RunRecord::Step> reported_steps(const Json& counterexample) {
  const Json& steps = counterexample.at("steps");
  return last_steps(steps.size(), [&](size_t i, RunRecord::Step& step) -> Json {
    step.rule = steps[i].at("rule");
    step.line = steps[i].value("line", 0u);
    step.column = steps[i].value("column", 0u);
    return steps[i].at("state");
  });
}

void set_steps(Finding& finding, size_t count, std::vector<RunRecord::Step> steps) {
  finding.first_step = count - steps.size();
  finding.steps = std::move(steps);
}

Finding finding_of(const Model& model, const Counterexample& error) {
  const ModelInfo& info = model.info();
  Finding finding;
  finding.kind = error_kind(info, error);
  finding.message = error.text.message;
  finding.file = info.path;
  finding.line = error.text.position.line;
  finding.column = error.text.position.column;
  if (!error.has_path()) return finding;
  finding.length = error.length();
  set_steps(finding, error.steps.size() + (error.failure.rule != kNoRule ? 1 : 0), steps_of(model, error));
  return finding;
}

Finding incomplete(const std::string& model, const std::string& message) {
  return {"incomplete", "Search incomplete: " + message, model, 0, 0, std::nullopt};
}

// The messages of a front end, each followed by lines that show the position.
std::vector<Finding> diagnostics(const std::string& model, const std::string& text) {
  std::vector<Finding> findings;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const auto line = DiagnosticLine::read(std::string_view(text).substr(begin, end - begin));
    if (line && line->position.line != 0)
      findings.push_back(
          {"model", line->message, line->file, line->position.line, line->position.column, std::nullopt});
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
    // The path of a single error is that of the whole report.
    const Json& path = error.contains("counterexample") ? error : report;
    if (path.contains("counterexample") && path.at("counterexample").is_object())
      set_steps(finding, path.at("counterexample").at("steps").size(),
                reported_steps(path.at("counterexample")));
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
    record.findings.push_back(finding_of(model, error));
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
