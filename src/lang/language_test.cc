#include "lang/language.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace strata {
namespace {

TEST(Language, the_extension_decides) {
  Result<ir::Program> program = compile_file("model.txt", {});
  EXPECT_EQ(program.status().code(), StatusCode::usage);
  EXPECT_EQ(program.status().message(),
            "cannot tell the language of 'model.txt' by its extension; known are: .m (murphi), .dve (dve), "
            ".mdve (dve)");
}

TEST(Language, a_missing_file_is_told) { EXPECT_FALSE(compile_file("/nonexistent/model.m", {}).ok()); }

TEST(Language, murphi_is_compiled) {
  std::string path = (std::filesystem::temp_directory_path() / "strata_language_test.m").string();
  std::ofstream(path) << "const N: 2;\nvar x: 0..N;\nstartstate x := 0; end;\nrule x := N - x; end;\n";
  LanguageOptions options;
  options.defines = {{"N", "4"}};
  Result<ir::Program> program = compile_file(path, options);
  std::filesystem::remove(path);
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(program->language, "murphi");
  EXPECT_EQ(program->path, path);
  EXPECT_EQ(program->constants[0].second, "4");
  EXPECT_EQ(program->rules.size(), 1u);
}

}  // namespace
}  // namespace strata
