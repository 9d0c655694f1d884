#include "tool/check/check_files.h"

#include <vector>

#include "report/ci/run_record.h"
#include "report/json/itf_trace.h"
#include "report/json/json_report.h"

namespace strata {
namespace {

std::vector<RunRecord> records_of(const Answers& answers) {
  std::vector<RunRecord> records;
  for (const Answered& answered : answers.all) {
    records.push_back(
        record_result(answered.model, answered.result, answered.run, exit_code(answered.result)));
    if (answers.several()) records.back().name += ": " + answered.run.name;
  }
  return records;
}

}  // namespace

Status write_files(const Answers& answers, const PageInfo& page, Outputs& outputs) {
  const Answered& main = answers.main();
  Status status;
  if (outputs.json.is_open())
    status = outputs.write_json([&](const TextSink& sink) { write_json_report(answers, sink); });
  const Counterexample* shown = main.result.witness                   ? &*main.result.witness
                                : main.result.counterexamples.empty() ? nullptr
                                                                      : &main.result.counterexamples.front();
  if (shown == nullptr || !shown->has_path()) outputs.trace.discard();
  if (status.ok() && outputs.wants_records())
    status = outputs.write_records("strata check", records_of(answers));
  if (status.ok() && outputs.trace.is_open())
    status = outputs.trace.write_pieces(
        [&](const TextSink& sink) { write_itf_trace(main.model, *shown, sink, main.run.propositions); });
  if (status.ok() && outputs.report.is_open())
    status = outputs.report.write_pieces([&](const TextSink& sink) { write_page(answers, page, sink); });
  return status;
}

}  // namespace strata
