// Replaces yaml.cc in a build without yaml-cpp (cmake/folders.cmake).
#include <fmt/format.h>

#include "tool/suite/yaml.h"

namespace strata {

Result<YamlNode> read_yaml(const SourceFile& file) {
  return Status::usage(fmt::format(
      "{}: this strata was built without yaml-cpp; write the suite in JSON, or install yaml-cpp (Debian: "
      "libyaml-cpp-dev) and build strata again",
      file.name()));
}

}  // namespace strata
