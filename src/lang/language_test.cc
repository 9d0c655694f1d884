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
            "cannot tell the language of 'model.txt' by its extension; known are: Murphi (.m, .M, "
            ".murphi), DVE (.dve, .mdve); name the language with --language");
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

// A compiler of the language Toy: a program without rules, whose path shows the options.
Result<ir::Program> compile_toy(const SourceFile& file, const LanguageOptions& options) {
  ir::Program program;
  program.path = file.name() + (options.is("shade", "dark") ? " (dark)" : "");
  program.language = options.language;
  program.starts.emplace_back();
  return program;
}

TEST(Language, a_row_is_all_that_a_language_needs) {
  Languages all = languages();
  all.push_back({"toy",
                 "Toy",
                 {"toy", "toy2"},
                 {".toy"},
                 {{"shade", "--shade", "light|dark", "light", "x"}},
                 compile_toy});
  EXPECT_EQ(language_names(all), (std::vector<std::string>{"murphi", "dve", "mdve", "toy", "toy2"}));
  EXPECT_EQ(language_files(all), "Murphi (.m, .M, .murphi), DVE (.dve, .mdve), Toy (.toy)");
  const SourceFile source("a.toy", "any");
  LanguageOptions options;
  options.source = &source;
  EXPECT_EQ(compile_file("a.toy", options, all)->path, "a.toy");
  options.own["shade"] = "dark";
  EXPECT_EQ(compile_file("a.toy", options, all)->path, "a.toy (dark)");
  options.language = "toy2";
  EXPECT_EQ(compile_file("a.txt", options, all)->language, "toy2");
  EXPECT_EQ(compile_file("a.toy", options).status().code(), StatusCode::usage);
  EXPECT_TRUE(compile_file("a.txt", {}, all)
                  .status()
                  .message()
                  .ends_with("DVE (.dve, .mdve), Toy (.toy); name the language with --language"));
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
