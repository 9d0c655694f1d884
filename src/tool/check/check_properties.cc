#include "tool/check/check_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/text/colour.h"
#include "base/text/units.h"
#include "report/text/text_report.h"
#include "report/trace/trace_text.h"
#include "tool/check/check_files.h"
#include "tool/output/page_info.h"

namespace strata {
namespace {

Status refuse(const Options& options) {
  const std::pair<bool, const char*> alone[] = {{!options.checkpoint.empty(), "--checkpoint"},
                                                {!options.keep.empty(), "--keep"},
                                                {options.plan, "--plan"},
                                                {options.ranks > 1, "a run of several processes"}};
  for (const auto& [given, name] : alone)
    if (given)
      return Status::usage(
          fmt::format("{} works with one property, and this run has several; start a run for each: --safety "
                      "alone asks for the "
                      "model's own properties, --property NAME for a formula",
                      name));
  return {};
}

std::string header(const SeveralChecks& checks) {
  const Check& first = checks.check(0);
  const native::LoadStats& stats = first.file().stats();
  std::string out =
      fmt::format("Strata {}: {} ({} bits a state), {} in {:.2f}s\nThreads {}, memory {}\n{} properties:\n",
                  STRATA_VERSION, first.model().info().path, first.task().model->info().state_bits,
                  stats.from_cache ? "loaded" : "compiled", stats.seconds, first.search_options().threads,
                  bytes_text(first.search_options().memory), checks.size());
  for (size_t i = 0; i < checks.size(); ++i)
    out += fmt::format("\t{}. {}, by {}\n", i + 1, checks.check(i).run_info().name,
                       checks.check(i).algorithm().name);
  return out;
}

// A line for each property, after their reports.
std::string summary(const std::vector<PropertyAnswer>& answers, bool colour) {
  std::string out = kSeparator + std::string("\nProperties:\n\n");
  for (const PropertyAnswer& answer : answers) {
    const RunInfo run = answer.check->run_info();
    const bool holds = answer.result.verdict == Verdict::holds;
    const std::string verdict = fmt::format("{:<10}", verdict_name(answer.result.verdict));
    const Colour tone = holds                                   ? Colour::good
                        : answer.result.counterexamples.empty() ? Colour::warning
                                                                : Colour::bad;
    out += fmt::format("\t{} {}", coloured(colour, tone, verdict), answer.name);
    if (!holds) out += ": " + verdict_lines(answer.check->model().info(), answer.result, run).front();
    out += "\n";
  }
  return out;
}

}  // namespace

Result<int> check_properties(const Options& options, const CheckEnvironment& environment,
                             std::vector<Asking> askings, Outputs& outputs, Console& console) {
  if (Status status = refuse(options); !status.ok()) return status;
  SeveralChecks checks(options, environment, std::move(askings));
  if (Status status = checks.prepare(); !status.ok()) return status;
  console.print(header(checks));
  if (Status status = console.flush(); !status.ok()) return status;

  const auto info_of = [&](const Check& check) {
    RunInfo info = check.run_info();
    info.colour = console.colour();
    return info;
  };
  const auto print = [&](size_t property, const PropertyAnswer& answer) {
    console.print(fmt::format("\nProperty {} of {}: {}\n", property + 1, checks.size(), answer.name));
    if (!answer.note.empty()) console.print(fmt::format("Note: {}.\n", answer.note));
    write_text_report(answer.check->model(), answer.result, info_of(*answer.check),
                      [&](std::string_view piece) { console.print(piece); });
    return console.flush();
  };
  const Result<std::vector<PropertyAnswer>> found = checks.search(print);
  if (!found.ok()) return found.status();
  console.print(summary(*found, console.colour()));
  const Status printed = console.flush();

  std::vector<RunInfo> infos;
  for (const PropertyAnswer& answer : *found) infos.push_back(info_of(*answer.check));
  Answers answers;
  answers.deciding = deciding(*found);
  std::vector<SourceFile> sources;
  for (size_t i = 0; i < found->size(); ++i) {
    const PropertyAnswer& answer = (*found)[i];
    answers.all.push_back({answer.check->model(), answer.result, infos[i]});
    for (const SourceFile& source : answer.check->file().sources()) {
      const auto known = [&](const SourceFile& other) { return other.name() == source.name(); };
      if (std::none_of(sources.begin(), sources.end(), known)) sources.push_back(source);
    }
  }
  if (Status status = write_files(answers, page_info(options, sources), outputs); !status.ok()) return status;
  if (!printed.ok()) return printed;
  return exit_code(answers.main().result);
}

}  // namespace strata
