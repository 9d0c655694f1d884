#include "tool/output/fail_run.h"

#include "report/json/json_report.h"
#include "report/page/page.h"
#include "tool/system/console.h"

namespace strata {

int fail_run(const Options& options, const Status& status, Outputs& outputs) {
  if (status.code() == StatusCode::interrupted && outputs.json.is_unfinished()) {
    const Status written =
        outputs.write_json(json_interrupted(STRATA_VERSION, options.model_name(), status.message()));
    if (!written.ok()) return fail(written);
  }
  if (status.code() == StatusCode::interrupted && outputs.report.is_unfinished()) {
    const Status written = outputs.report.write(message_page(options.model, status.message()));
    if (!written.ok()) return fail(written);
  }
  const int code = fail(status);
  if (outputs.wants_records()) {
    const Status written =
        outputs.write_records("strata check", {record_failure(options.model_name(), status, code)});
    if (!written.ok()) return fail(written);
  }
  return code;
}

}  // namespace strata
