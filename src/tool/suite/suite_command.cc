#include "tool/suite/suite_command.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/source.h"
#include "base/text/colour.h"
#include "report/ci/junit.h"
#include "report/ci/run_record.h"
#include "report/ci/sarif.h"
#include "report/json/json_report.h"
#include "tool/options/command_line.h"
#include "tool/output/output_file.h"
#include "tool/suite/child.h"
#include "tool/suite/suite_file.h"
#include "tool/system/console.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kNotAsExpected = 1;
constexpr int kInterrupted = 130;

// A folder for the reports of the runs.
class Scratch {
 public:
  static Result<Scratch> make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "strata-suite-XXXXXX").string();
    if (error || mkdtemp(path.data()) == nullptr)
      return Status::system(fmt::format("cannot make a folder for reports in '{}'; name another with TMPDIR",
                                        fs::path(path).parent_path().string()));
    return Scratch(path);
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  Scratch& operator=(Scratch&&) = delete;

  std::string report() const { return path_ + "/report.json"; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

Json read_report(const std::string& path) {
  std::ifstream file(path);
  return file ? Json::parse(file, nullptr, false) : Json(nullptr);
}

Result<RunRecord> run_one(const SuiteRun& run, const Scratch& scratch, ChildOutput output) {
  std::vector<std::string> words = {"check"};
  words.insert(words.end(), run.options.begin(), run.options.end());
  words.insert(words.end(), {"--json", scratch.report(), "--", run.model});
  const Result<ChildEnd> end = run_child(words, output);
  if (!end.ok()) return end.status();
  RunRecord record = record_process(run.model, read_report(scratch.report()), end->exit_code, end->errors);
  record.name = run.name;
  std::error_code ignored;
  fs::remove(scratch.report(), ignored);
  return record;
}

std::string outcome(const RunRecord& run) {
  if (run.verdict == "rejected") return fmt::format("rejected (exit code {})", run.exit_code);
  return fmt::format("{}, {} states, {:.2f}s", run.verdict, run.states, run.seconds);
}

std::string line_of(const RunRecord& run, bool colour) {
  std::string out = fmt::format(
      "{} {}: {}\n",
      run.passed() ? coloured(colour, Colour::good, "ok    ") : coloured(colour, Colour::bad, "FAILED"),
      run.name, outcome(run));
  for (const std::string& note : run.notes) out += fmt::format("       {}\n", note);
  if (run.passed()) return out;
  for (const RunRecord::Finding& finding : run.findings) {
    const std::string place =
        finding.line == 0 ? "" : fmt::format("{}:{}:{}: error: ", finding.file, finding.line, finding.column);
    out += fmt::format("       {}{}\n", place, finding.message);
  }
  return out;
}

std::string total_line(const std::vector<RunRecord>& runs, size_t planned, const char* good) {
  const auto passed = static_cast<size_t>(
      std::count_if(runs.begin(), runs.end(), [](const RunRecord& run) { return run.passed(); }));
  std::string out = fmt::format("\n{} of {} run{} {}", passed, planned, planned == 1 ? "" : "s", good);
  if (runs.size() < planned) out += fmt::format(", {} not begun", planned - runs.size());
  return out + ".\n";
}

Json finding_json(const RunRecord::Finding& finding) {
  Json object = {{"kind", finding.kind}, {"message", finding.message}, {"position", nullptr}};
  if (finding.line != 0)
    object["position"] = {{"file", finding.file}, {"line", finding.line}, {"column", finding.column}};
  if (finding.length) object["length"] = *finding.length;
  return object;
}

// The same fields as in the report of a check.
const char* depth_name(const KnownDepth& depth) {
  return depth.kind == KnownDepth::Kind::at_most ? "depth_at_most" : "depth";
}

std::string suite_json(const std::vector<RunRecord>& runs, size_t planned) {
  Json list = Json::array();
  for (const RunRecord& run : runs) {
    Json findings = Json::array();
    for (const RunRecord::Finding& finding : run.findings) findings.push_back(finding_json(finding));
    list.push_back({{"name", run.name},
                    {"model", run.model},
                    {"passed", run.passed()},
                    {"verdict", run.verdict},
                    {"exit_code", run.exit_code},
                    {"states", run.states},
                    {"transitions", run.transitions},
                    {depth_name(run.depth), run.depth.steps},
                    {"seconds", run.seconds},
                    {"findings", findings}});
  }
  const auto passed =
      std::count_if(runs.begin(), runs.end(), [](const RunRecord& run) { return run.passed(); });
  const Json object = {{"strata", STRATA_VERSION},
                       {"schema", kReportSchema},
                       {"planned", planned},
                       {"passed", passed},
                       {"runs", list}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Writes the reports, also when a signal ended the suite early.
Status write_files(const Options& options, const std::vector<RunRecord>& runs, size_t planned,
                   Outputs& outputs) {
  Status status = outputs.write_records(options.suite.empty() ? "strata check" : options.suite, runs);
  if (status.ok() && outputs.json.is_open()) status = outputs.write_json(suite_json(runs, planned));
  return status;
}

// Runs all entries; `expected` says whether the file has expectations.
Result<std::vector<RunRecord>> run_all(const std::vector<SuiteRun>& planned, bool expected,
                                       const Scratch& scratch, const ChildSignals& signals,
                                       const Console& console) {
  std::vector<RunRecord> runs;
  for (const SuiteRun& run : planned) {
    if (signals.stopped()) break;
    Result<RunRecord> record = run_one(run, scratch, expected ? ChildOutput::hidden : ChildOutput::shown);
    if (!record.ok()) return record.status();
    if (signals.stopped()) break;
    if (expected) {
      judge(run.expect, *record);
      console.print(line_of(*record, console.colour()));
      if (Status status = console.flush(); !status.ok()) return status;
    }
    runs.push_back(std::move(*record));
  }
  return runs;
}

int run_suite(const Options& options, const std::vector<SuiteRun>& planned, bool expected) {
  const ChildSignals signals;
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());
  const Result<Scratch> scratch = Scratch::make();
  if (!scratch.ok()) return fail(scratch.status());
  const Console console(options);
  const Result<std::vector<RunRecord>> runs = run_all(planned, expected, *scratch, signals, console);
  if (!runs.ok()) return fail(runs.status());
  if (!expected) {
    console.print("\n");
    for (const RunRecord& run : *runs) console.print(line_of(run, console.colour()));
  }
  console.print(total_line(*runs, planned.size(), expected ? "as expected" : "without an error"));
  const Status printed = console.flush();
  const Status written = write_files(options, *runs, planned.size(), *outputs);
  if (!written.ok() || !printed.ok()) return fail(written.ok() ? printed : written);
  if (signals.stopped()) return kInterrupted;
  const auto bad =
      std::find_if(runs->begin(), runs->end(), [](const RunRecord& run) { return !run.passed(); });
  if (bad == runs->end()) return 0;
  return expected ? kNotAsExpected : bad->exit_code;
}

}  // namespace

int suite_command(const Options& options) {
  const Result<SourceFile> file = SourceFile::load(options.suite);
  if (!file.ok()) return fail(file.status());
  const Result<std::vector<SuiteRun>> runs = parse_suite(*file);
  return runs.ok() ? run_suite(options, *runs, true) : fail(runs.status());
}

int check_models_command(const Options& options) {
  const std::vector<std::string> words = option_words(options, {"--json", "--junit", "--sarif"});
  std::vector<SuiteRun> runs;
  for (const std::string& model : options.models) runs.push_back({model, model, words, {}});
  return run_suite(options, runs, false);
}

}  // namespace strata
