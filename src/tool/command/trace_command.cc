#include "tool/command/trace_command.h"

#include <fmt/format.h>

#include "base/source.h"
#include "report/saved/saved_trace.h"
#include "report/trace/trace_text.h"
#include "tool/output/output_file.h"
#include "tool/output/page_info.h"
#include "tool/system/console.h"

namespace strata {
namespace {

Status show_trace(const Options& options) {
  if (Status status = refuse_overwriting("--report", options.report, options.model); !status.ok())
    return status;
  const Result<SourceFile> file = SourceFile::load(options.model);
  if (!file.ok()) return file.status();
  const Result<SavedTrace> trace = SavedTrace::read(*file);
  if (!trace.ok()) return trace.status();
  const Counterexample& counterexample = trace->counterexample();
  const Console console(options);
  write_error_trace(*trace, counterexample, options.trace,
                    [&](std::string_view piece) { console.print(piece); });
  if (Status status = console.flush(); !status.ok()) return status;
  if (options.report.empty()) return {};
  RunInfo run;
  run.version = STRATA_VERSION;
  run.propositions = trace->proposition_names();
  Result<OutputFile> page = OutputFile::open("--report", options.report);
  if (!page.ok()) return page.status();
  return page->write_pieces([&](const TextSink& sink) {
    write_trace_page(*trace, counterexample, run, page_info(options, {}), sink);
  });
}

}  // namespace

int trace_command(const Options& options) {
  const Status status = show_trace(options);
  return status.ok() ? 0 : fail(status);
}

}  // namespace strata
