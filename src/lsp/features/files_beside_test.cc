#include "lsp/features/files_beside.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lsp/testing/test_client.h"

namespace strata::lsp {
namespace {

// A folder with a model m.m and other files, removed at the end.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::path(::testing::TempDir()) /
              ("strata_files_beside_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "folder.json");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const char* name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  std::string path(const char* name) const { return (path_ / name).string(); }
  std::string model() const { return path("m.m"); }

 private:
  std::filesystem::path path_;
};

TEST(FilesBeside, AreThoseThatBelongToTheModel) {
  const Folder folder;
  folder.write("m.m", kModel);
  EXPECT_TRUE(files_beside(folder.model(), "cell").empty());
  folder.write("m.ltl", "#define low (cell[1] = 0)\n");
  folder.write("m.mdve", "byte cell;\n");
  folder.write("other.ltl", "cell");
  folder.write("m.txt", "cell");
  folder.write("suite.json", R"({"runs": [{"model": "m.m", "options": ["--ltl", "G cell"]}]})");
  folder.write("other.json", R"({"runs": [{"model": "n.m", "options": ["--ltl", "G cell"]}]})");
  folder.write("report.json", R"({"model": "m.m", "variables": ["cell"]})");
  folder.write("large.json", "m.m cell" + std::string(2 << 20, ' '));
  EXPECT_EQ(files_beside(folder.model(), "cell"),
            (std::vector<std::string>{"m.ltl", "m.mdve", "suite.json"}));
  EXPECT_EQ(files_beside(folder.model(), "low"), (std::vector<std::string>{"m.ltl"}));
  EXPECT_TRUE(files_beside(folder.model(), "cel").empty());
  EXPECT_TRUE(files_beside("untitled:1", "cell").empty());
  EXPECT_TRUE(files_beside("/no/such/folder/m.m", "cell").empty());
}

TEST(FilesBeside, AreNamedWhenANameIsChanged) {
  const Folder folder;
  folder.write("suite.yaml", "runs:\n  - model: m.m\n    options: [--invariant, cell]\n");
  const std::string text = kModel, uri = "file://" + folder.model();
  Client client;
  client.open(text, uri.c_str());
  const SourceFile file("m", text);
  const auto rename = [&](const char* word) {
    return client.ask("textDocument/rename", {{"textDocument", {{"uri", uri}}},
                                              {"position", place_json(file, text.find(word))},
                                              {"newName", "slot"}});
  };
  EXPECT_TRUE(rename("cell: array").contains("result"));
  ASSERT_EQ(client.count("window/showMessage"), 1u);
  EXPECT_EQ(client.sent[0]["params"]["message"],
            "strata: 'cell' also occurs in suite.yaml, which renaming does not change");
  EXPECT_TRUE(rename("Busy }").contains("result"));
  EXPECT_EQ(client.count("window/showMessage"), 0u);
}

// The front end of DVE reads the formulas, which would not be those of the model any more.
TEST(FilesBeside, OfDveRefuseWhatTheirFormulasName) {
  const Folder folder;
  folder.write("m.ltl", "#define low (x < 2)\n#property G low\n");
  const std::string uri = "file://" + folder.path("m.dve");
  Client client;
  client.tell(
      "textDocument/didOpen",
      {{"textDocument",
        {{"uri", uri},
         {"languageId", "dve"},
         {"version", 1},
         {"text", "byte x; process P { state a; init a; trans a -> a { effect x = 1; }; } system async;"}}}});
  const Json answer = client.ask(
      "textDocument/rename",
      {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 0}, {"character", 5}}}, {"newName", "y"}});
  EXPECT_EQ(answer["error"]["message"],
            "with this name: " + folder.path("m.ltl") + ":1:14: error: unknown name 'x'");
}

}  // namespace
}  // namespace strata::lsp
