// The outcome of runs as an XML file in JUnit's format, which continuous integration shows as tests.
#pragma once

#include <string>
#include <vector>

#include "report/ci/run_record.h"

namespace strata {

// One test suite with this name and one case for each run. A violated property and a run that does not meet its
// expectation are failures; a run without a result is an error.
std::string junit_report(const std::string& suite, const std::vector<RunRecord>& runs);

}  // namespace strata
