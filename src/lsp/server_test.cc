#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lsp/testing/test_client.h"

namespace strata::lsp {
namespace {

std::string labels(const Json& answer) {
  std::string out;
  for (const Json& one : answer["result"]["items"]) out += one["label"].get<std::string>() + " ";
  return out;
}

TEST(LanguageServer, PublishesMistakesAsOneTypes) {
  Client client;
  client.open("var x: Prc;\nstartstate end;\nrule end;\n");
  Json found = client.diagnostics();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["message"], "unknown type 'Prc'");
  EXPECT_EQ(found[0]["severity"], 1);
  EXPECT_EQ(found[0]["range"].dump(),
            R"({"end":{"character":10,"line":0},"start":{"character":7,"line":0}})");
  client.tell("textDocument/didChange",
              {{"textDocument", {{"uri", kUri}, {"version", 2}}},
               {"contentChanges", {{{"range", found[0]["range"]}, {"text", "0..1"}}}}});
  EXPECT_EQ(client.diagnostics().size(), 0u);
  EXPECT_EQ(client.sent.back()["params"]["version"], 2);
}

TEST(LanguageServer, AnswersAboutNames) {
  Client client;
  const std::string text = kModel;
  client.open(text);
  EXPECT_EQ(client.diagnostics().size(), 0u);
  EXPECT_EQ(client.at("textDocument/definition", text, "cell[p].at = ")["result"]["range"]["start"]["line"],
            6);
  EXPECT_EQ(client.at("textDocument/definition", text, "at = Busy")["result"]["range"]["start"]["line"], 4);
  EXPECT_EQ(client.at("textDocument/definition", text, "busy(p) ==>")["result"]["range"]["start"]["line"], 7);
  EXPECT_EQ(client.at("textDocument/definition", text, "Busy; end")["result"]["range"]["start"]["line"], 3);
  EXPECT_TRUE(client.at("textDocument/definition", text, "==>")["result"].is_null());
  const std::string hover = client.at("textDocument/hover", text, "N = 3")["result"]["contents"]["value"];
  EXPECT_EQ(hover.substr(0, hover.find('\n')), "N: integer = 3");
  const std::string head =
      client.at("textDocument/hover", text, "busy(p) ==>")["result"]["contents"]["value"];
  EXPECT_EQ(head.substr(0, head.find('\n')), "function busy(p: Proc): boolean");
  EXPECT_EQ(starts_of(client.at("textDocument/references", text, "Busy }")["result"]), "3:22 9:22 15:41 ");
}

TEST(LanguageServer, CompletesWhatIsBeingTyped) {
  Client client;
  const std::string text = kModel;
  client.open(text);
  client.diagnostics();
  const auto typed = [&](const std::string& line) {
    const std::string now = text + "rule \"new\" " + line;
    client.tell("textDocument/didChange",
                {{"textDocument", {{"uri", kUri}, {"version", 3}}}, {"contentChanges", {{{"text", now}}}}});
    const SourceFile file("m", now);
    return client.ask("textDocument/completion",
                      {{"textDocument", {{"uri", kUri}}}, {"position", place_json(file, now.size())}});
  };
  EXPECT_EQ(labels(typed("cell[1].")), "at owner ");
  EXPECT_EQ(labels(typed("cell[cell[1].owner].o")), "owner ");
  EXPECT_EQ(labels(typed("B")), "Busy busy ");
  const Json compared = typed("cell[2].at = ");
  EXPECT_EQ(compared["result"]["items"][0]["label"], "N");
  std::string first;
  for (const Json& one : compared["result"]["items"])
    if (one["sortText"].get<std::string>()[0] == '0') first += one["label"].get<std::string>() + " ";
  EXPECT_EQ(first, "Idle Busy ");
}

TEST(LanguageServer, HasAnOutline) {
  Client client;
  client.open(kModel);
  std::string names;
  const Json list = client.ask("textDocument/documentSymbol", {{"textDocument", {{"uri", kUri}}}})["result"];
  for (const Json& one : list) {
    names += one["name"].get<std::string>();
    if (one.contains("children"))
      for (const Json& inner : one["children"]) names += "." + inner["name"].get<std::string>();
    names += " ";
  }
  EXPECT_EQ(names, "N Proc State.Idle.Busy Cell.at.owner cell busy start work fine ");
}

TEST(LanguageServer, RenamesWhereThatChangesNoMeaning) {
  Client client;
  const std::string text = kModel;
  client.open(text);
  const Json answer = client.at("textDocument/rename", text, "Busy }", 0, {{"newName", "Working"}});
  EXPECT_EQ(starts_of(answer["result"]["changes"][kUri]), "3:22 9:22 15:41 ");
  EXPECT_EQ(client.at("textDocument/prepareRename", text, "Busy }")["result"]["placeholder"], "Busy");
  const auto problem = [&](const char* word, const char* name) -> std::string {
    return client.at("textDocument/rename", text, word, 0, {{"newName", name}})["error"]["message"];
  };
  EXPECT_EQ(problem("Busy }", "2x"), "'2x' is not a name");
  EXPECT_EQ(problem("Busy }", "Idle"), "with this name: 'Idle' is already declared in line 4");
  EXPECT_EQ(problem("cell: array", "p"), "with this name: 'p' has type Proc, which has no elements");
  EXPECT_EQ(problem("==>", "x"), "there is no name that can be changed");
}

// Formulas and actors in comments are read only when a check asks for them.
TEST(LanguageServer, RefusesToRenameWhatACommentMeans) {
  for (const char* comment :
       {"--@ ltl \"safe\" G cell = cell;\n", "-- actor: cell\n", "--\t actor: cell\n", "--actor: cell\n"}) {
    Client client;
    const std::string text = kModel + std::string("\n") + comment;
    client.open(text);
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<long>(text.find(comment)), '\n');
    const auto rename = [&](const char* word) {
      return client.at("textDocument/rename", text, word, 0, {{"newName", "slot"}});
    };
    EXPECT_EQ(rename("cell: array")["error"]["message"],
              "the comment of line " + std::to_string(line) + " names 'cell', and is not changed with it");
    EXPECT_TRUE(rename("Busy }").contains("result"));
  }
}

TEST(LanguageServer, KnowsDveToo) {
  Client client;
  const std::string text =
      "byte x = 1; channel c;\nprocess P {\n  byte k;\n  state a, b;\n  init a;\n"
      "  trans a -> b { guard x == 1; sync c!k; effect k = k + x; };\n}\n"
      "process Q { state s; init s; trans s -> s { guard P.a && P->k == 0; sync c?x; }; }\nsystem async;\n";
  client.tell("textDocument/didOpen",
              {{"textDocument", {{"uri", kUri}, {"languageId", "dve"}, {"version", 1}, {"text", text}}}});
  EXPECT_EQ(client.diagnostics().size(), 0u) << client.sent.back().dump();
  EXPECT_EQ(starts_of(client.at("textDocument/references", text, "k;\n")["result"]),
            "2:7 5:38 5:48 5:52 7:60 ");
  EXPECT_EQ(starts_of(client.at("textDocument/references", text, "c;\n")["result"]), "0:20 5:36 7:73 ");
  EXPECT_EQ(client.at("textDocument/definition", text, "a && P")["result"]["range"]["start"]["line"], 3);
  EXPECT_EQ(client.at("textDocument/definition", text, "P.a")["result"]["range"]["start"]["line"], 1);
}

TEST(LanguageServer, RunsCommandsWithProgressAndCancel) {
  Client client;
  client.open(kModel);
  client.diagnostics();
  const Json arguments = {{"command", "strata.check"}, {"arguments", {kUri}}, {"workDoneToken", "t"}};
  client.ask("workspace/executeCommand", arguments);
  EXPECT_EQ(client.sent.size(), 1u);
  EXPECT_EQ(client.sent[0]["params"]["value"]["kind"], "begin");
  client.server().advance_jobs();
  EXPECT_EQ(client.sent.back()["params"]["value"]["message"], "searching");
  client.commands_.ends = true;
  client.server().advance_jobs();
  EXPECT_EQ(client.sent.back()["result"]["verdict"], "violated");
  EXPECT_EQ(client.diagnostics()[0]["message"], "it fails");
  client.commands_.ends = false;
  client.ask("workspace/executeCommand", arguments);
  client.tell("window/workDoneProgress/cancel", {{"token", "t"}});
  client.server().advance_jobs();
  EXPECT_EQ(client.sent.back()["error"]["code"], kRequestCancelled);
  EXPECT_EQ(
      client.ask("workspace/executeCommand", {{"command", "rm"}, {"arguments", {kUri}}})["error"]["code"],
      kInvalidParameters);
  EXPECT_EQ(client.ask("workspace/executeCommand", {{"command", "strata.check"},
                                                    {"arguments", {"file:///absent.m"}}})["error"]["message"],
            "there is no such file");
}

TEST(LanguageServer, AnswersBrokenMessages) {
  Client client;
  const auto code = [&](const std::string& body) {
    client.sent.clear();
    client.server().receive(body);
    return client.sent.empty() ? 0 : client.sent.back()["error"]["code"].get<int>();
  };
  EXPECT_EQ(code("{"), kParseError);
  EXPECT_EQ(code("[]"), kInvalidRequest);
  EXPECT_EQ(code(R"({"id": 1})"), 0);
  EXPECT_EQ(code(R"({"id": 1, "method": 3})"), kInvalidRequest);
  EXPECT_EQ(code(R"({"id": 1, "method": "no/such"})"), kMethodNotFound);
  EXPECT_EQ(code(R"({"method": "no/such"})"), 0);
  EXPECT_TRUE(client.ask("textDocument/hover", 7)["result"].is_null());
  client.ask("shutdown", nullptr);
  EXPECT_EQ(code(R"({"id": 1, "method": "textDocument/hover"})"), kInvalidRequest);
  client.tell("exit", nullptr);
  EXPECT_TRUE(client.server().ended());
  EXPECT_EQ(client.server().exit_code(), 0);
}

}  // namespace
}  // namespace strata::lsp
