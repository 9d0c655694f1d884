#include "api/api_result.h"

#include <algorithm>

#include "report/json/coverage.h"
#include "report/json/itf_trace.h"
#include "report/json/json_report.h"
#include "report/text/text_report.h"
#include "report/trace/trace_text.h"

namespace strata::api {
namespace {

Position place(const strata::ModelInfo& info, SourcePosition position) {
  return {info.path, position.line, position.column};
}

// The outcome of the property with this number.
Property::Outcome outcome(const SearchResult& result, const strata::ModelInfo& info, uint32_t number) {
  // A formula is checked in the place of the model's own properties.
  if (result.formula) return Property::Outcome::unknown;
  const auto fails = [&](const strata::Counterexample& error) {
    return error.failure.kind == Failure::Kind::property && error.failure.detail == number;
  };
  const auto& missed = result.missed_covers;
  if (std::any_of(result.counterexamples.begin(), result.counterexamples.end(), fails) ||
      std::count(missed.begin(), missed.end(), number) > 0)
    return Property::Outcome::violated;
  const bool checked = info.properties[number].kind != PropertyKind::proposition;
  return checked && saw_all_states(result) ? Property::Outcome::holds : Property::Outcome::unknown;
}

// The public words are in the order of the private ones.
static_assert(static_cast<int>(Verdict::incomplete) == static_cast<int>(strata::Verdict::incomplete) &&
              static_cast<int>(Verdict::deadlock) == static_cast<int>(strata::Verdict::deadlock));
static_assert(static_cast<int>(Stop::cancelled) == static_cast<int>(StopReason::interrupted) &&
              static_cast<int>(Stop::time) == static_cast<int>(StopReason::time));
static_assert(static_cast<int>(Value::Kind::multiset) == static_cast<int>(strata::Value::Kind::multiset) &&
              static_cast<int>(Value::Kind::symbol) == static_cast<int>(strata::Value::Kind::symbol));

}  // namespace

const char* name(Verdict verdict) { return verdict_name(static_cast<strata::Verdict>(verdict)); }

Result::Result(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}

const Error* Result::error() const { return implementation_->error ? &*implementation_->error : nullptr; }

const std::vector<std::string>& Result::notes() const {
  static const std::vector<std::string> none;
  return implementation_->run ? implementation_->run->notes : none;
}

// The run that has an answer; null: there is none.
const Run* Result::run() const { return implementation_->error ? nullptr : implementation_->run.get(); }

Verdict Result::verdict() const {
  return run() ? static_cast<Verdict>(run()->result.verdict) : Verdict::incomplete;
}

std::string Result::message() const {
  if (!run()) return error()->text;
  std::string out;
  for (const std::string& line : verdict_lines(run()->check->model().info(), run()->result, run()->info))
    out += (out.empty() ? "" : "\n") + line;
  return out;
}

Stop Result::stop() const { return run() ? static_cast<Stop>(run()->result.stop) : Stop::none; }
int Result::exit_code() const { return run() ? strata::exit_code(run()->result) : error()->exit_code; }
uint64_t Result::states() const { return run() ? run()->result.states : 0; }
uint64_t Result::transitions() const { return run() ? run()->result.transitions : 0; }
uint64_t Result::depth() const { return run() ? run()->result.depth : 0; }

std::vector<uint64_t> Result::levels() const {
  std::vector<uint64_t> out;
  for (size_t i = 0; run() && i < run()->result.levels.size(); ++i) out.push_back(run()->result.levels[i]);
  return out;
}

bool Result::levels_exact() const { return run() && run()->result.levels_exact; }
bool Result::exact() const { return run() && run()->result.exact; }
double Result::seconds() const { return run() ? run()->result.seconds.search : 0; }
double Result::compile_seconds() const { return run() ? run()->result.seconds.compile : 0; }
uint64_t Result::peak_memory() const { return run() ? run()->result.peak_rss : 0; }
uint64_t Result::peak_disk() const { return run() ? run()->result.disk_peak : 0; }
std::string Result::algorithm() const { return run() ? run()->info.algorithm : ""; }

ModelInfo Result::model() const { return run() ? public_model(run()->check->model().info()) : ModelInfo(); }

std::vector<Property> Result::properties() const {
  std::vector<Property> out;
  if (!run()) return out;
  const strata::ModelInfo& info = run()->check->model().info();
  for (uint32_t i = 0; i < info.properties.size(); ++i) {
    const PropertyInfo& own = info.properties[i];
    out.push_back({strata::property_kind(own.kind), own.name, place(info, own.position),
                   outcome(run()->result, info, i)});
  }
  return out;
}

std::vector<RuleCount> Result::rules() const {
  std::vector<RuleCount> out;
  if (!run()) return out;
  const strata::ModelInfo& info = run()->check->model().info();
  for (const CoveredRule& rule : covered_rules(info, run()->result.coverage))
    out.push_back({rule.name, place(info, rule.position), rule.fired});
  return out;
}

std::vector<Counterexample> Result::counterexamples() const {
  std::vector<Counterexample> out;
  if (!run()) return out;
  for (const strata::Counterexample& found : run()->result.counterexamples)
    out.push_back(Counterexample(std::shared_ptr<const Counterexample::Implementation>(
        new Counterexample::Implementation{implementation_->run, found})));
  return out;
}

std::optional<Counterexample> Result::witness() const {
  if (!run() || !run()->result.witness) return std::nullopt;
  return Counterexample(std::shared_ptr<const Counterexample::Implementation>(
      new Counterexample::Implementation{implementation_->run, *run()->result.witness}));
}

std::string Result::json() const {
  return run() ? json_report(run()->check->model(), run()->result, run()->info) : "";
}

std::string Result::text() const {
  return run() ? text_report(run()->check->model(), run()->result, run()->info) : "";
}

Counterexample::Counterexample(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}

std::string Counterexample::message() const { return implementation_->found.text.message; }

Position Counterexample::position() const {
  return place(implementation_->model().info(), implementation_->found.text.position);
}

uint64_t Counterexample::length() const { return implementation_->found.length(); }
uint64_t Counterexample::size() const { return implementation_->found.steps.size(); }

Step Counterexample::step(uint64_t number) const {
  if (number >= size()) return {};
  const strata::Model& model = implementation_->model();
  const TraceStep& step = implementation_->found.steps[number];
  const InstanceName rule = number == 0 ? model.start_name(step.rule) : model.rule_name(step.rule);
  return {rule.text(), public_value(model.describe(step.state.data()))};
}

std::string Counterexample::failing_rule() const {
  const strata::Counterexample& found = implementation_->found;
  if (found.failure.rule == kNoRule) return "";
  const strata::Model& model = implementation_->model();
  return (found.steps.empty() ? model.start_name(found.failure.rule) : model.rule_name(found.failure.rule))
      .text();
}

bool Counterexample::has_loop() const { return implementation_->found.loop.has_value(); }
uint64_t Counterexample::loop() const { return implementation_->found.loop.value_or(0); }

std::string Counterexample::text(bool all_variables) const {
  return trace_text(implementation_->model(), implementation_->found,
                    all_variables ? TraceMode::full : TraceMode::diff);
}

std::string Counterexample::itf() const {
  return itf_trace(implementation_->model(), implementation_->found);
}

}  // namespace strata::api
