// The lines include(`NAME') and sinclude(`NAME') of a template, replaced by the files that they name. m4 is
// not asked to do it: it would read any file, and a template is a text from somebody else. Here a file must
// lie in the folder of the model, and so must what a link leads to.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"

namespace strata::dve {

// The text with its includes, and theirs. A name is relative to the folder of the model; sinclude says
// nothing when there is no such file. `sources`, where it is not null, gets the files.
Result<std::string> expand_includes(const SourceFile& file, std::vector<SourceFile>* sources = nullptr);

}  // namespace strata::dve
