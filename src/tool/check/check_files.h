// The files that a check writes about its answers: --json, --junit, --sarif, --trace-file, --report.
#pragma once

#include "base/status.h"
#include "report/answered.h"
#include "report/page/page.h"
#include "tool/output/output_file.h"

namespace strata {

// Those that were asked for. The file of --trace-file has the path of the answer that decides about the run.
Status write_files(const Answers& answers, const PageInfo& page, Outputs& outputs);

}  // namespace strata
