#include "tool/command/trace_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/source.h"
#include "report/json/itf_trace.h"
#include "report/json/value_json.h"
#include "report/saved/saved_trace.h"
#include "report/shown/shown_trace.h"
#include "report/trace/trace_text.h"
#include "tool/command/trace_alternatives.h"
#include "tool/output/output_file.h"
#include "tool/output/page_info.h"
#include "tool/system/console.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

Result<std::vector<ShownExpression>> expressions(const SavedTrace& trace,
                                                 const std::vector<std::string>& texts) {
  std::vector<std::string> variables;
  for (const VariableInfo& variable : trace.info().variables) variables.push_back(variable.name);
  std::vector<ShownExpression> out;
  for (const std::string& text : texts) {
    Result<ShownExpression> read = ShownExpression::read(text, variables);
    if (!read.ok()) return read.status();
    out.push_back(std::move(*read));
  }
  return out;
}

// In which step an invariant fails first; none: it holds in all.
struct InvariantAnswer {
  std::string text;
  std::optional<uint64_t> fails_in;
};

// What is asked about a trace, and the answers.
class TraceQuestions {
 public:
  static Result<TraceQuestions> about(const SavedTrace& trace, const Options& options) {
    Result<std::vector<ShownExpression>> columns = expressions(trace, options.show);
    if (!columns.ok()) return columns.status();
    const std::vector<std::string> where =
        options.where.empty() ? std::vector<std::string>() : std::vector<std::string>{options.where};
    const Result<std::vector<ShownExpression>> conditions = expressions(trace, where);
    if (!conditions.ok()) return conditions.status();
    const Result<std::vector<ShownExpression>> invariants = expressions(trace, options.invariants);
    if (!invariants.ok()) return invariants.status();
    TraceQuestions questions(trace, std::move(*columns));
    if (Status status = questions.choose(*conditions); !status.ok()) return status;
    for (const ShownExpression& invariant : *invariants)
      if (Status status = questions.check(invariant); !status.ok()) return status;
    questions.asks_ = !options.show.empty() || !options.where.empty() || !options.invariants.empty();
    return questions;
  }

  bool asks() const { return asks_; }
  const ShownTrace& trace() const { return trace_; }
  bool all_hold() const {
    return std::none_of(invariants_.begin(), invariants_.end(),
                        [](const InvariantAnswer& answer) { return answer.fails_in.has_value(); });
  }

  std::string text() const {
    std::string out;
    if (!trace_.columns().empty() || chosen_.size() < steps().size() || invariants_.empty()) out += table();
    for (const InvariantAnswer& answer : invariants_)
      out += answer.fails_in ? fmt::format("{}: fails first in step {}\n", answer.text, *answer.fails_in)
                             : fmt::format("{}: holds in all {} states\n", answer.text, steps().size());
    return out;
  }

  std::string json() const {
    Json out;
    out["strata"] = STRATA_VERSION;
    out["trace"] = saved_.info().path;
    out["steps"] = Json::array();
    for (const uint64_t number : chosen_) {
      Json step = {{"step", number}, {"rule", rule(number)}, {"values", Json::object()}};
      for (uint64_t i = 0; i < trace_.columns().size(); ++i)
        step["values"][trace_.columns()[i].text()] = to_json(trace_.column(i, state(number)));
      out["steps"].push_back(std::move(step));
    }
    out["invariants"] = Json::array();
    for (const InvariantAnswer& answer : invariants_)
      out["invariants"].push_back({{"text", answer.text},
                                   {"holds", !answer.fails_in},
                                   {"step", answer.fails_in ? Json(*answer.fails_in) : Json(nullptr)}});
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  TraceQuestions(const SavedTrace& saved, std::vector<ShownExpression> columns)
      : saved_(saved), trace_(saved, std::move(columns)) {}

  const std::vector<TraceStep>& steps() const { return saved_.counterexample().steps; }
  const uint8_t* state(uint64_t number) const { return steps()[number].state.data(); }
  std::string rule(uint64_t number) const {
    const uint32_t rule = steps()[number].rule;
    return (number == 0 ? saved_.start_name(rule) : saved_.rule_name(rule)).text();
  }

  // A condition that cannot be evaluated in a state does not hold there, unless that is so in all states.
  Status choose(const std::vector<ShownExpression>& conditions) {
    Status failed;
    bool evaluated = conditions.empty();
    for (uint64_t number = 0; number < steps().size(); ++number) {
      bool holds = true;
      for (const ShownExpression& condition : conditions) {
        const Result<bool> answer = condition.holds(saved_.describe(state(number)));
        holds = answer.ok() && *answer;
        evaluated |= answer.ok();
        if (!answer.ok()) failed = answer.status();
      }
      if (holds) chosen_.push_back(number);
    }
    return evaluated ? Status() : failed;
  }

  Status check(const ShownExpression& invariant) {
    InvariantAnswer answer{invariant.text(), std::nullopt};
    for (uint64_t number = 0; number < steps().size() && !answer.fails_in; ++number) {
      const Result<bool> holds = invariant.holds(saved_.describe(state(number)));
      if (!holds.ok()) return holds.status();
      if (!*holds) answer.fails_in = number;
    }
    invariants_.push_back(std::move(answer));
    return {};
  }

  // An aggregate is written in short: {1: A, 2: B}.
  static std::string cell(const Value& value) {
    if (value.members.empty()) return value.text();
    std::string out;
    for (const auto& [name, part] : value.members)
      out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", name, cell(part));
    return "{" + out + "}";
  }

  std::string table() const {
    std::vector<std::vector<std::string>> rows(1, {"step"});
    for (const ShownExpression& column : trace_.columns()) rows[0].push_back(column.text());
    rows[0].push_back("rule");
    for (const uint64_t number : chosen_) {
      rows.push_back({std::to_string(number)});
      for (uint64_t i = 0; i < trace_.columns().size(); ++i)
        rows.back().push_back(cell(trace_.column(i, state(number))));
      rows.back().push_back(rule(number));
    }
    std::vector<size_t> widths(rows[0].size());
    for (const std::vector<std::string>& row : rows)
      for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string out;
    for (const std::vector<std::string>& row : rows)
      for (size_t i = 0; i < row.size(); ++i)
        out += i + 1 < row.size() ? fmt::format("{:<{}}  ", row[i], widths[i]) : row[i] + "\n";
    return out;
  }

  const SavedTrace& saved_;
  ShownTrace trace_;
  std::vector<uint64_t> chosen_;
  std::vector<InvariantAnswer> invariants_;
  bool asks_ = false;
};

Status write_page(const ShownTrace& trace, const SavedTrace& saved, const Options& options) {
  RunInfo run;
  run.version = STRATA_VERSION;
  run.propositions = saved.proposition_names();
  Result<OutputFile> page = OutputFile::open("--report", options.report);
  if (!page.ok()) return page.status();
  return page->write_pieces([&](const TextSink& sink) {
    write_trace_page(trace, saved.counterexample(), run, page_info(options, {}), sink);
  });
}

Status write_files(const TraceQuestions& questions, const SavedTrace& saved, const Options& options) {
  if (!options.report.empty())
    if (Status status = write_page(questions.trace(), saved, options); !status.ok()) return status;
  if (!options.trace_file.empty()) {
    Result<OutputFile> file = OutputFile::open("--trace-file", options.trace_file);
    if (!file.ok()) return file.status();
    const Status status = file->write_pieces([&](const TextSink& sink) {
      write_itf_trace(questions.trace(), saved.counterexample(), sink, saved.proposition_names());
    });
    if (!status.ok()) return status;
  }
  if (options.json.empty()) return {};
  Result<OutputFile> file = OutputFile::open("--json", options.json);
  return file.ok() ? file->write(questions.json()) : file.status();
}

Result<int> show_trace(const Options& options) {
  for (const auto& [name, file] : {std::pair{"--report", &options.report},
                                   {"--trace-file", &options.trace_file},
                                   {"--json", &options.json}})
    if (Status status = refuse_overwriting(name, *file, options.model); !status.ok()) return status;
  const Result<SourceFile> file = SourceFile::load(options.model);
  if (!file.ok()) return file.status();
  const Result<SavedTrace> trace = SavedTrace::read(*file);
  if (!trace.ok()) return trace.status();
  const Result<TraceQuestions> questions = TraceQuestions::about(*trace, options);
  if (!questions.ok()) return questions.status();
  const Console console(options);
  if (options.models.size() > 1) {
    const Result<std::string> text = trace_with_alternatives(*trace, options);
    if (!text.ok()) return text.status();
    console.print(*text);
  }
  if (questions->asks())
    console.print(questions->text());
  else if (options.models.size() == 1)
    write_error_trace(*trace, trace->counterexample(), options.trace,
                      [&](std::string_view piece) { console.print(piece); });
  if (Status status = console.flush(); !status.ok()) return status;
  if (Status status = write_files(*questions, *trace, options); !status.ok()) return status;
  SearchResult as_search;
  if (!questions->all_hold()) as_search.verdict = Verdict::violated;
  return exit_code(as_search);
}

}  // namespace

int trace_command(const Options& options) {
  const Result<int> code = show_trace(options);
  return code.ok() ? *code : fail(code.status());
}

}  // namespace strata
