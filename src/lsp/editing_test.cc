// What is said of a document while it is edited.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lsp/testing/test_client.h"

namespace strata::lsp {
namespace {

// The places of an outline lie in a part of the text, one behind the other, and its names stand where it says.
void expect_outline_of(const std::string& text, size_t from, size_t to, const Json& list) {
  const SourceFile file("m", text);
  for (const Json& one : list) {
    const auto offset = [&](const char* range, const char* end) {
      const Json& place = one[range][end];
      const size_t found = offset_of(file, place["line"], place["character"]);
      EXPECT_EQ(place_json(file, found), place) << one << " is not in\n" << text;
      return found;
    };
    const size_t begin = offset("selectionRange", "start"), end = offset("selectionRange", "end");
    EXPECT_LE(from, offset("range", "start")) << one << " overlaps in\n" << text;
    EXPECT_LE(offset("range", "start"), begin);
    EXPECT_LE(end, offset("range", "end"));
    EXPECT_LE(offset("range", "end"), to);
    const int kind = one["kind"];
    const bool begins_with_word = kind == 24 || kind == 9 || kind == 7;  // a rule, a start state, a property
    EXPECT_TRUE(begins_with_word || text.substr(begin, end - begin) == one["name"]) << one << text;
    if (one.contains("children")) expect_outline_of(text, begin, offset("range", "end"), one["children"]);
    from = offset("range", "end");
  }
}

// The names are those of the last text that could be parsed.
TEST(Editing, HasAnOutlineWithinATextThatDoesNotParse) {
  const std::string text = kModel;
  size_t shown = 0;
  for (size_t at = 0; at < text.size(); at += 3) {
    const std::string before = text.substr(0, at), behind = text.substr(std::min(text.size(), at + 9));
    for (const std::string& edited :
         {before + "(", before + "((" + text.substr(at), before + "\n((" + behind}) {
      Client client;
      client.open(text);
      client.diagnostics();
      client.tell("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                                             {"contentChanges", {{{"text", edited}}}}});
      const Json answer = client.ask("textDocument/documentSymbol", {{"textDocument", {{"uri", kUri}}}});
      expect_outline_of(edited, 0, edited.size(), answer["result"]);
      shown += answer["result"].size();
    }
  }
  EXPECT_GT(shown, 2000u);
}

// The check reads the saved file, and its places are those of that text.
TEST(Editing, MarksFindingsOnlyInTheTextThatWasChecked) {
  const auto findings = [](bool saved, bool edits, size_t& logs) {
    Client client;
    client.open(kModel);
    client.diagnostics();
    if (!saved) client.commands_.saved = "another text";
    client.ask("workspace/executeCommand",
               {{"command", "strata.check"}, {"arguments", {kUri}}, {"workDoneToken", "t"}});
    if (edits)
      client.tell("textDocument/didChange",
                  {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                   {"contentChanges",
                    {{{"range", Json::parse(R"({"start": {"line": 0, "character": 0},
                                                                 "end": {"line": 0, "character": 0}})")},
                      {"text", "-- typed\n\n"}}}}});
    client.commands_.ends = true;
    client.sent.clear();
    client.server().advance_jobs();
    logs = client.count("window/logMessage");
    return client.diagnostics();
  };
  size_t logs = 0;
  EXPECT_EQ(starts_of(findings(true, false, logs)), "17:0 ");
  EXPECT_EQ(logs, 0u);
  EXPECT_EQ(starts_of(findings(true, true, logs)), "");
  EXPECT_EQ(logs, 1u);
  EXPECT_EQ(starts_of(findings(false, false, logs)), "");
  EXPECT_EQ(logs, 1u);
}

TEST(Editing, SaysThatAnEditWasRefused) {
  Client client;
  client.open("var x: Prc;\nstartstate end;\nrule end;\n");
  EXPECT_EQ(client.diagnostics().size(), 1u);
  const auto range = [](int from, int to) -> Json {
    return {{"start", {{"line", 0}, {"character", from}}}, {"end", {{"line", 0}, {"character", to}}}};
  };
  const auto change = [&](const Json& changes) {
    client.sent.clear();
    client.tell("textDocument/didChange",
                {{"textDocument", {{"uri", kUri}, {"version", 2}}}, {"contentChanges", changes}});
  };
  const auto outline = [&] {
    return client.ask("textDocument/documentSymbol", {{"textDocument", {{"uri", kUri}}}})["result"];
  };
  // A bad range, then a good one, which may mean another place by now.
  change({{{"range", range(9, 7)}, {"text", "y"}}, {{"range", range(7, 10)}, {"text", "0..1"}}});
  ASSERT_EQ(client.count("window/logMessage"), 1u);
  EXPECT_EQ(client.diagnostics().size(), 0u);
  EXPECT_EQ(outline().size(), 0u);
  change({{{"range", range(7, 10)}, {"text", "Q"}}});
  change({{{"range", range(7, 10)}}});
  EXPECT_EQ(client.count("window/logMessage"), 0u);
  EXPECT_EQ(client.diagnostics().size(), 0u);
  // A whole text is one that both know, and edits of it count again.
  change({{{"text", "var x: Prc;\nstartstate end;\nrule end;\n"}}, {{"range", range(7, 10)}, {"text", "Q"}}});
  EXPECT_EQ(client.diagnostics()[0]["message"], "unknown type 'Q'");
  EXPECT_GT(outline().size(), 0u);
  // It is said once for each document, and again when that was opened again.
  change({{{"text", 7}}});
  EXPECT_EQ(client.count("window/logMessage"), 0u);
  client.open(kModel);
  EXPECT_EQ(client.diagnostics().size(), 0u);
  EXPECT_GT(outline().size(), 3u);
  change(Json::array({7}));
  EXPECT_EQ(client.count("window/logMessage"), 1u);
}

}  // namespace
}  // namespace strata::lsp
