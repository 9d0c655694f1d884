// The outcome of runs as an XML file in JUnit's form, which continuous integration shows as tests.
#pragma once

#include <string>
#include <vector>

#include "report/ci/run_record.h"

namespace strata {

// One test suite of that name with a case for each run. A property that does not hold, and a run that is not
// as expected, is a failure; a run without a result is an error.
std::string junit_report(const std::string& suite, const std::vector<RunRecord>& runs);

}  // namespace strata
