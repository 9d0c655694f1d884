// Templates of DVE models, NAME.mdve: text for the macro processor m4, which is run with the macros of prelude.m4.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "base/status.h"

namespace strata::dve {

bool is_template(const std::string& path);

// The expanded text; positions in messages refer to it. `defines` set the parameters of the template. `sources`, unless
// null, receives the included files.
Result<SourceFile> expand_template(const SourceFile& file,
                                   const std::vector<std::pair<std::string, std::string>>& defines,
                                   std::vector<SourceFile>* sources = nullptr);

}  // namespace strata::dve
