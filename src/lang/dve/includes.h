// Replaces the lines include(`NAME') and sinclude(`NAME') of a template by the files that they name. This is not left
// to m4, because m4 would read any file, and a template may come from an untrusted source. Here the file, and the
// target of a link, must be in the folder of the model.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"

namespace strata::dve {

// The text with its includes replaced, recursively. Names are relative to the folder of the model; sinclude ignores a
// missing file. `sources`, unless null, receives the files that are read.
Result<std::string> expand_includes(const SourceFile& file, std::vector<SourceFile>* sources = nullptr);

}  // namespace strata::dve
