// What the page of --report shows besides the result: the command, the machine, the texts.
#pragma once

#include <vector>

#include "base/source.h"
#include "options/options.h"
#include "report/page/page.h"

namespace strata {

PageInfo page_info(const Options& options, const std::vector<SourceFile>& sources);

}  // namespace strata
