// Templates of DVE models, NAME.mdve: text for the macro processor m4, which is run with our own prelude (prelude.m4).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "base/status.h"

namespace strata::dve {

bool is_template(const std::string& path);

// The model's text; positions in messages about it are those of this text. `defines` set the template's
// parameters. `sources`, where it is not null, gets the files that were included.
Result<SourceFile> expand_template(const SourceFile& file,
                                   const std::vector<std::pair<std::string, std::string>>& defines,
                                   std::vector<SourceFile>* sources = nullptr);

}  // namespace strata::dve
