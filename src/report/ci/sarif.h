// The findings of runs in the Static Analysis Results Interchange Format 2.1.0. Editors and code review show them at
// their positions in the model.
#pragma once

#include <string>
#include <vector>

#include "report/ci/run_record.h"

namespace strata {

// Makes one object that contains one run of the tool.
std::string sarif_report(const std::string& version, const std::vector<RunRecord>& runs);

}  // namespace strata
