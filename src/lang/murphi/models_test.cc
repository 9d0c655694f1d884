// Models from other projects, if they are available: correct ones are accepted, wrong ones refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "lang/murphi/murphi.h"

namespace strata::murphi {
namespace {

namespace fs = std::filesystem;

const fs::path kModels = fs::path(STRATA_SOURCE_DIR) / "../shared/models/murphi";

std::vector<fs::path> models_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  if (!fs::exists(folder)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".m") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Status compile_model(const fs::path& path) {
  Result<SourceFile> file = SourceFile::load(path.string());
  return file.ok() ? compile(*file, {}).status() : file.status();
}

TEST(Models, classic) {
  std::vector<fs::path> paths = models_in(kModels / "classic");
  if (paths.empty()) GTEST_SKIP() << "no models in " << kModels / "classic";
  for (const fs::path& path : paths) {
    Status status = compile_model(path);
    if (path.filename() == "turbogas.m") {
      EXPECT_NE(status.message().find("real numbers are not supported"), std::string::npos)
          << status.message();
    } else {
      EXPECT_TRUE(status.ok()) << status.message();
    }
  }
}

// Real differences to Rumur, with a part of the message.
const std::map<std::string, std::string> kRefusedHere = {
    // Values are 64-bit signed integers.
    {"uint64-model.m", "the number is too large"},
    // A constant index outside the array is found without a search.
    {"escaping-expressions.m", "index 2 is not in 0..1"},
    {"index-out-of-range.m", "index 3 is not in 0..1"},
};
const std::set<std::string> kAcceptedHere = {
    // In this test the command line is wrong, not the model.
    "bound-illegal.m",
    // Functions may call functions that are declared later.
    "function-order.m",
    "recursion3.m",
};

TEST(Models, rumur_tests_obey_their_headers) {
  std::vector<fs::path> paths = models_in(kModels / "rumur-tests");
  if (paths.empty()) GTEST_SKIP() << "no models in " << kModels / "rumur-tests";
  for (const fs::path& path : paths) {
    std::string name = path.filename().string();
    Result<SourceFile> file = SourceFile::load(path.string());
    ASSERT_TRUE(file.ok()) << file.status().message();
    bool refuse = file->text().find("rumur_exit_code: 1") != std::string_view::npos;
    Status status = compile(*file, {}).status();
    if (auto different = kRefusedHere.find(name); different != kRefusedHere.end()) {
      EXPECT_NE(status.message().find(different->second), std::string::npos)
          << name << ": " << status.message();
    } else if (refuse && !kAcceptedHere.contains(name)) {
      EXPECT_EQ(status.code(), StatusCode::model) << name;
    } else {
      EXPECT_TRUE(status.ok()) << status.message();
    }
  }
}

}  // namespace
}  // namespace strata::murphi
