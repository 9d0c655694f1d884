#include "tool/system/standard_input.h"

#include <unistd.h>

#include <utility>

namespace strata {

Status read_standard_input(Options& options) {
  if (!options.reads_stdin()) return {};
  Result<SourceFile> text = SourceFile::read(options.model_name(), STDIN_FILENO);
  if (!text.ok()) return text.status();
  options.input = std::move(*text);
  return {};
}

}  // namespace strata
