// The findings of runs in the Static Analysis Results Interchange Format 2.1.0, which editors and code review
// show at their place in the model.
#pragma once

#include <string>
#include <vector>

#include "report/ci/run_record.h"

namespace strata {

// One object with one run of the tool.
std::string sarif_report(const std::string& version, const std::vector<RunRecord>& runs);

}  // namespace strata
