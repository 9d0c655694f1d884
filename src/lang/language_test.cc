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
            "cannot tell the language of 'model.txt' by its extension; known are: .m (murphi), .M (murphi), "
            ".murphi (murphi), .dve (dve), .mdve (dve); name it with --language");
}

TEST(Language, or_the_options_do) {
  const SourceFile murphi("<stdin>", "var x: 0..1;\nstartstate x := 0; end;\nrule x := 1 - x; end;\n");
  LanguageOptions options;
  options.source = &murphi;
  EXPECT_EQ(compile_file("<stdin>", options).status().code(), StatusCode::usage);
  options.language = "murphi";
  const Result<ir::Program> program = compile_file("<stdin>", options);
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(program->path, "<stdin>");
  options.language = "dve";
  EXPECT_EQ(compile_file("<stdin>", options).status().code(), StatusCode::model);
  const SourceFile dve("<stdin>", "process P { state a; init a; trans a -> a {}; } system async;");
  options.source = &dve;
  EXPECT_TRUE(compile_file("<stdin>", options).ok());
}

TEST(Language, a_template_is_expanded_when_it_is_called_one) {
  const SourceFile source("<stdin>", "define(`Name', `P')process Name { state a; init a; } system async;");
  LanguageOptions options;
  options.source = &source;
  options.language = "dve";
  EXPECT_FALSE(compile_file("<stdin>", options).ok());
  options.language = "mdve";
  const Result<ir::Program> program = compile_file("<stdin>", options);
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(program->path, "<stdin>");
}

TEST(Language, murphi_has_several_extensions) {
  for (const char* name : {"model.m", "model.M", "model.murphi"})
    EXPECT_EQ(compile_file(std::string("/nonexistent/") + name, {}).status().code(), StatusCode::system)
        << name;
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
