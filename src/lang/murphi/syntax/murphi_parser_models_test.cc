// The models of ../shared/models are accepted by their own tools, so they must parse.
#include <gtest/gtest.h>

#include <filesystem>

#include "lang/murphi/syntax/murphi_parser.h"

namespace strata::murphi {
namespace {

std::string read_errors(const std::filesystem::path& path) {
  const Result<SourceFile> file = SourceFile::load(path.string());
  if (!file.ok()) return file.status().message();
  if (file->text().find("rumur_exit_code: 1") != std::string_view::npos) return "";
  Diagnostics diagnostics(*file);
  (void)parse_model(*file, diagnostics);
  return diagnostics.render();
}

TEST(ParserModels, AllSharedModelsParse) {
  const std::filesystem::path folder = std::filesystem::path(STRATA_SOURCE_DIR) / "../shared/models/murphi";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".m") continue;
    ++count;
    const std::string errors = read_errors(path);
    if (path.filename() == "turbogas.m") {
      EXPECT_NE(errors.find(":33:26: error: real numbers are not supported"), std::string::npos) << errors;
    } else if (path.filename() == "uint64-model.m") {
      EXPECT_NE(errors.find("the number is too large"), std::string::npos) << errors;
    } else {
      EXPECT_EQ(errors, "");
    }
  }
  EXPECT_GT(count, 300);
}

}  // namespace
}  // namespace strata::murphi
