#include "api/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/ci/run_record.h"
#include "store/log/disk_space.h"

namespace strata::api {
namespace {

Error::Kind error_kind(StatusCode code) {
  switch (code) {
    case StatusCode::usage: return Error::Kind::usage;
    case StatusCode::model: return Error::Kind::model;
    case StatusCode::limit:
    case StatusCode::disk_full: return Error::Kind::limit;
    case StatusCode::interrupted: return Error::Kind::interrupted;
    case StatusCode::system: return Error::Kind::system;
    case StatusCode::ok:
    case StatusCode::internal: break;
  }
  return Error::Kind::internal;
}

const OptionRow* find_option(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  for (const OptionRow& row : option_rows())
    if ((row.commands & kLibrary) != 0 && name == row.id) return &row;
  return nullptr;
}

}  // namespace

Status Run::prepare() {
  const Notes to_run{[this](const std::string& text) { note(text); },
                     [this](const std::string& text) { note(text); }};
  if (stop) return {StatusCode::interrupted, "cancelled before the search began"};
  check.emplace(options, CheckEnvironment{stop, to_run});
  if (Status status = check->prepare(); !status.ok()) return status;
  note(check->file().stats().note);
  note(check->task().note);
  return {};
}

Status Run::search() {
  searching = true;
  strata::Result<Answer> answer = check->search();
  // Free the disk space of the search now: the process may live long.
  DiskSpace::free_now();
  if (!answer.ok()) return answer.status();
  note(answer->note);
  result = std::move(answer->result);
  info = check->run_info();
  return {};
}

void Run::note(const std::string& text) {
  if (text.empty()) return;
  const MutexLock lock(mutex);
  notes.push_back(text);
}

Status set_options(const std::vector<std::pair<std::string, std::string>>& values, strata::Options& options) {
  for (const auto& [name, value] : values) {
    const OptionRow* row = find_option(name);
    if (row == nullptr) {
      std::string names;
      for (const std::string& other : Options::names()) names += (names.empty() ? "" : ", ") + other;
      return Status::usage(fmt::format("there is no option '{}'; the options are {}", name, names));
    }
    if (Status status = row->set(options, value); !status.ok())
      return Status::usage(fmt::format("{}: {}", name, status.message()));
  }
  if (options.named_properties() + (options.safety || !options.invariants.empty() ? 1 : 0) > 1)
    return Status::usage(
        "a check through the library has one property, and ltl, property, automaton and safety name "
        "one each: start a check for each");
  return check_combination(options);
}

const char* version() { return STRATA_VERSION; }

std::vector<std::string> Options::names() {
  std::vector<std::string> out;
  for (const OptionRow& row : option_rows())
    if ((row.commands & kLibrary) != 0) out.emplace_back(row.id);
  return out;
}

Error public_error(const std::string& model, const Status& status) {
  Error error;
  error.kind = error_kind(status.code());
  error.exit_code = status_exit_code(status.code());
  error.text = status.message();
  while (!error.text.empty() && error.text.back() == '\n') error.text.pop_back();
  for (const RunRecord::Finding& finding : record_failure(model, status, 0).findings)
    error.messages.push_back({{finding.file, finding.line, finding.column}, finding.message});
  return error;
}

ModelInfo public_model(const strata::ModelInfo& info) {
  ModelInfo out;
  out.name = info.path;
  out.language = info.language;
  out.state_bits = info.state_bits;
  for (const VariableInfo& variable : info.variables)
    out.variables.push_back({variable.name, variable.type, variable.bits});
  for (const RuleInfo& rule : info.rules)
    out.rules.push_back({rule.name, {info.path, rule.position.line, rule.position.column}, rule.instances});
  return out;
}

}  // namespace strata::api
