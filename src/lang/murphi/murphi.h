// The Murphi front end: text to checked program.
#pragma once

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/common/language_options.h"

namespace strata::murphi {

Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options);

}  // namespace strata::murphi
