// The checker's messages to the letter, and the lowered form of correct models.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "lang/dve/dve.h"
#include "lang/testing/messages.h"

namespace strata::dve {
namespace {

Result<ir::Program> compiled(const std::string& text, const LanguageOptions& options = {}) {
  return compile(SourceFile("m.dve", text), options);
}

std::string errors(const std::string& text) {
  return lang::messages_of(compiled(text).status().message(), {"m.dve"});
}

TEST(DveCheck, ShowsLineAndCaret) {
  EXPECT_EQ(compiled("process P {\n  state a;\n  init b;\n}\nsystem async;").status().message(),
            "m.dve:3:8: error: process 'P' has no state 'b'\n"
            "    init b;\n"
            "         ^\n");
}

constexpr const char* kTwoProcesses =
    "const byte N = 2; byte x; channel c;"
    "process P { state a, b; init a; trans a -> b { guard x < N; sync c!1; }, b -> a {}; }"
    "process Q { byte y; state a, b; init a; accept b; trans a -> b { sync c?y; }, b -> b { sync c?y; }; }";

// The note for a model that is accompanied by this .ltl file.
std::string note_with(const std::string& ltl) {
  namespace fs = std::filesystem;
  std::string folder = testing::TempDir() + "strata_check_XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return "no folder";
  std::ofstream(folder + "/m.ltl") << ltl;
  const Result<ir::Program> program =
      compile(SourceFile(folder + "/m.dve", "process P { state a; init a; } system async;"), {});
  fs::remove_all(folder);
  if (!program.ok()) return program.status().message();
  std::string note = program->note;
  if (const size_t place = note.find(folder); place != std::string::npos)
    note.erase(place, folder.size() + 1);
  return note;
}

TEST(DveCheck, SaysThatAFormulaInAnotherFormWasNotRead) {
  EXPECT_EQ(note_with("[] (P == a -> <> P == a)\n"),
            "'m.ltl' was ignored: it has no line '#property FORMULA'. A formula in LTSmin's form can be "
            "checked with "
            "--ltl, with its conditions in double quotes and P.s for P == s");
  EXPECT_EQ(note_with("#property G a\n[] a\n"), "");
  EXPECT_EQ(note_with("#define a P.a\n"), "");
  EXPECT_EQ(note_with("\n"), "");
  EXPECT_EQ(compiled("process P { state a; init a; } system async;")->note, "");
}

TEST(DveCheck, ARendezvousIsARuleForEachPair) {
  const Result<ir::Program> program = compiled(std::string(kTwoProcesses) + "system async;");
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_EQ(program->rules.size(), 3u);
  EXPECT_EQ(program->rules[0].name, "P: a -> b, Q: a -> b (c)");
  EXPECT_EQ(program->rules[1].name, "P: a -> b, Q: b -> b (c)");
  EXPECT_EQ(program->rules[2].name, "P: b -> a");
  EXPECT_EQ(program->deadlock, DeadlockMode::stuck);
  ASSERT_EQ(program->state.size(), 4u);
  EXPECT_EQ(program->state[3].name, "Q->y");
  ASSERT_TRUE(program->error_state.has_value());
  EXPECT_EQ(program->error_state->variable, 1u);
  EXPECT_EQ(program->error_state->value, 2);
  EXPECT_EQ(program->error_state->body.size(), 4u);
}

TEST(DveCheck, APropertyProcessMovesAlong) {
  const std::string text =
      "process P { state a; init a; trans a -> a {}; } process R { state q; init q; accept q; trans q -> q "
      "{}; } ";
  const Result<ir::Program> program = compiled(text + "system async property R;");
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_EQ(program->rules.size(), 2u);
  EXPECT_FALSE(program->rules[0].otherwise);
  EXPECT_TRUE(program->rules[1].otherwise);
  EXPECT_NE(program->accepting, nullptr);
  EXPECT_EQ(program->deadlock, DeadlockMode::off);

  LanguageOptions none;
  none.property = "none";
  const Result<ir::Program> without = compiled(text + "system async property R;", none);
  ASSERT_TRUE(without.ok());
  EXPECT_EQ(without->state.size(), 1u);
  EXPECT_EQ(without->accepting, nullptr);

  LanguageOptions named;
  named.property = "R";
  const Result<ir::Program> with = compiled(text + "system async;", named);
  ASSERT_TRUE(with.ok());
  EXPECT_NE(with->accepting, nullptr);
  named.property = "T";
  EXPECT_EQ(compiled(text + "system async;", named).status().message(),
            "--property: m.dve has no property 'T'; it has R");
}

TEST(DveCheck, DefinesGiveConstantsOtherValues) {
  const std::string text = std::string(kTwoProcesses) + "system async;";
  LanguageOptions options;
  options.defines = {{"N", "7"}};
  const Result<ir::Program> program = compiled(text, options);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->constants, (std::vector<std::pair<std::string, std::string>>{{"N", "7"}}));
  options.defines = {{"N", "256"}};
  EXPECT_EQ(compiled(text, options).status().message(),
            "-D N=256: '256' is not a value of constant 'N', which has type byte");
  options.defines = {{"M", "1"}};
  EXPECT_EQ(compiled(text, options).status().message(), "no constant 'M' in m.dve; its constants are: N = 2");
}

TEST(DveCheck, InvariantsUseNamesOfTheModel) {
  LanguageOptions options;
  options.invariants = {"not (both and x > N)"};
  const std::string text =
      "expression both() { P.a and Q.a } " + std::string(kTwoProcesses) + "system async;";
  const Result<ir::Program> program = compiled(text, options);
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_EQ(program->properties.size(), 1u);
  EXPECT_EQ(program->properties[0].name, "not (both and x > N)");
  EXPECT_EQ(program->propositions.size(), 1u);
  options.invariants = {"P.c"};
  EXPECT_EQ(compiled(text, options).status().message(),
            "--invariant:1:3: error: process 'P' has no state 'c'\n"
            "  P.c\n"
            "    ^\n");
}

TEST(DveCheck, InfoHasProcessesChannelsAndFormulas) {
  const Result<ir::Program> program = compiled(
      "channel {byte, int} c[3]; channel d; process P { state a; init a; } property ltl f \"G a\" system "
      "async;");
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_EQ(program->components.size(), 3u);
  EXPECT_EQ(program->components[0].detail, "byte, int; a buffer of 3");
  EXPECT_EQ(program->components[1].detail, "untyped");
  EXPECT_EQ(program->components[2].detail, "1 state, 0 transitions");
  ASSERT_EQ(program->formulas.size(), 1u);
  EXPECT_EQ(program->formulas[0].text, "G a");
}

TEST(DveCheck, Names) {
  EXPECT_EQ(errors("byte x, x; process P { state a; init a; } system async;"),
            "1:9: 'x' is declared twice\n");
  EXPECT_EQ(errors("process P { byte l; state a, b; init a; trans a -> b { guard y; }; } system async;"),
            "1:62: unknown name 'y'\n");
  EXPECT_EQ(
      errors("byte x; process P { byte l; state a, b; init a; trans a -> b { guard x[0]; }; } system async;"),
      "1:70: 'x' is not an array\n");
  EXPECT_EQ(
      errors("channel c; process P { byte l; state a, b; init a; trans a -> b { guard c; }; } system async;"),
      "1:73: 'c' is a channel, not a value\n");
  EXPECT_EQ(errors("process P { byte l; state a, b; init a; trans a -> b { guard Q.a; effect l = P->m; }; } "
                   "system async;"),
            "1:62: unknown process 'Q'\n"
            "1:81: process 'P' has no variable 'm'\n");
  EXPECT_EQ(
      errors("process P { byte l; state a, b; init a; trans a -> b { guard P.l || P->a; }; } system async;"),
      "1:64: process 'P' has no state 'l'; a variable is read with '->'\n"
      "1:72: process 'P' has no variable 'a'\n");
}

TEST(DveCheck, Targets) {
  EXPECT_EQ(errors("const byte K = 3; process P { byte l; state a, b; init a; trans a -> b { effect K = 1; "
                   "}; } system async;"),
            "1:81: cannot assign to 'K', which is a constant\n");
  EXPECT_EQ(
      errors("process P { byte l; state a, b; init a; trans a -> b { effect P->l = 1; }; } system async;"),
      "1:63: cannot assign to 'P->l': a process writes its own variables and global ones\n");
  EXPECT_EQ(errors("process P { byte l; state a, b; init a; trans a -> b { effect 3 = 1; }; } system async;"),
            "1:63: cannot assign to an expression that is not a variable\n");
  EXPECT_EQ(errors("channel c; process P { byte l; state a, b; init a; trans a -> b { sync c?l + 1; }; } "
                   "system async;"),
            "1:74: cannot receive into an expression that is not a variable\n");
  EXPECT_EQ(errors("channel c; process P { byte l; state a, b; init a; trans a -> b { effect c = 1; }; } "
                   "system async;"),
            "1:74: cannot assign to 'c', which is a channel\n");
}

TEST(DveCheck, States) {
  EXPECT_EQ(errors("process P { state a, a; init a; } process P { state a; init a; } system async;"),
            "1:22: state 'a' is declared twice\n"
            "1:43: process 'P' is declared twice\n");
  EXPECT_EQ(
      errors(
          "process P { state a; } process Q { init a; } process R { state a, b; init a, b; } system async;"),
      "1:9: process 'P' has no initial state\n"
      "1:32: process 'Q' has no states\n"
      "1:78: process 'R' has a second initial state\n");
  EXPECT_EQ(errors("process S { state a; init z; commit y; accept w; } system async;"),
            "1:27: process 'S' has no state 'z'\n"
            "1:37: process 'S' has no state 'y'\n"
            "1:47: process 'S' has no state 'w'\n");
  EXPECT_EQ(errors("process P { state a; init a; trans a -> b {}; assert c : 1; } system async;"),
            "1:41: process 'P' has no state 'b'\n"
            "1:54: process 'P' has no state 'c'\n");
}

TEST(DveCheck, Channels) {
  EXPECT_EQ(errors("process P { byte l; state a, b; init a; trans a -> b { sync c!; }; } system async;"),
            "1:61: unknown channel 'c'\n");
  EXPECT_EQ(
      errors("byte x; process P { byte l; state a, b; init a; trans a -> b { sync x!; }; } system async;"),
      "1:69: 'x' is not a channel\n");
  EXPECT_EQ(errors("channel c; process P { byte l; state a; init a; trans a -> a { sync c!1; }, a -> a { "
                   "sync c?; }; } system async;"),
            "1:91: channel 'c' carries 1 value, but 0 are given\n");
  EXPECT_EQ(
      errors(
          "channel {byte, int} c; process P { state a; init a; trans a -> a { sync c!1; }; } system async;"),
      "1:73: channel 'c' carries 2 values, but 1 is given\n");
  EXPECT_EQ(errors("channel c[3]; process P { state a; init a; } system async;"),
            "1:9: the buffer of channel 'c' needs the types of its values: channel {byte} c[3]\n");
}

TEST(DveCheck, Constants) {
  EXPECT_EQ(
      errors(
          "byte x; byte y[x]; byte z[0]; const byte k = 256; const byte m; const int n = x; system async;"),
      "1:16: the size of an array must be a constant\n"
      "1:27: the size of an array must be 1 to 16777216, not 0\n"
      "1:46: 256 is not a value of type byte\n"
      "1:62: constant 'm' needs a value\n"
      "1:79: the value of a constant must be a constant\n");
  EXPECT_EQ(errors("byte x = {1}; byte y[2] = 1; process P { state a; init a; } system async;"),
            "1:6: 'x' is not an array and has one value\n"
            "1:20: 'y' is an array; put its values in braces\n");
  EXPECT_EQ(errors("const int k = 1 / 0; system async;"),
            "1:15: the value of a constant must be a constant\n");
}

TEST(DveCheck, TheSystem) {
  EXPECT_EQ(errors("process P { state a; init a; } system async property Q;"), "1:54: unknown process 'Q'\n");
  EXPECT_EQ(errors("channel c; process P { state a; init a; trans a -> a { sync c!; }; } system sync;"),
            "1:61: a synchronous system has no channels\n");
  EXPECT_EQ(
      errors("channel c; process P { state a; init a; trans a -> a { sync c!; }; } system async property P;"),
      "1:61: a property process has no synchronisation\n");
}

TEST(DveCheck, Instances) {
  EXPECT_EQ(errors("process P(key i) { state a; init a; } process P(1); process P(1); process P(1, 2); "
                   "process Q(1); system async;"),
            "1:61: process 'P(1)' is declared twice\n"
            "1:75: process 'P' has 1 parameters, but 2 values are given\n"
            "1:92: there is no process 'Q' with parameters\n");
  EXPECT_EQ(errors("process P(key i) { state a; init a; trans a -> a { guard P.a || P(2).a; }; } process "
                   "P(1); system async;"),
            "1:58: process 'P' has instances; name one by its key\n"
            "1:65: there is no process 'P(2)'\n");
  EXPECT_EQ(errors("process P(i) { state a; init a; } for (x : 1 .. 100000) { process P(x); } system async;"),
            "1:40: the loop makes more than 10000 processes\n");
}

TEST(DveCheck, NamedExpressions) {
  EXPECT_EQ(errors("expression e() { f } expression f() { e } process P { state a; init a; } system async;"),
            "1:18: expression 'f' contains itself\n"
            "1:39: expression 'e' contains itself\n");
}

TEST(DveCheck, NearNames) {
  const std::string start =
      "byte count; channel send;\nprocess P { byte local; state idle, busy; init idle; trans\n";
  const std::string end = "; }\nsystem async;";
  EXPECT_EQ(errors(start + "idle -> busi {}" + end),
            "3:9: process 'P' has no state 'busi'; did you mean 'busy'?\n");
  EXPECT_EQ(errors(start + "idle -> busy { guard coutn == 1; }" + end),
            "3:22: unknown name 'coutn'; did you mean 'count'?\n");
  EXPECT_EQ(errors(start + "idle -> busy { sync sned!; }" + end),
            "3:21: unknown channel 'sned'; did you mean 'send'?\n");
  EXPECT_EQ(errors(start + "idle -> busy { guard P.idel; }" + end),
            "3:24: process 'P' has no state 'idel'; did you mean 'idle'?\n");
  EXPECT_EQ(errors(start + "idle -> busy { guard P->lokal == 1; }" + end),
            "3:25: process 'P' has no variable 'lokal'; did you mean 'local'?\n");
  EXPECT_EQ(errors("process Ring { state a; init a; } system async property Rign;"),
            "1:57: unknown process 'Rign'; did you mean 'Ring'?\n");
}

}  // namespace
}  // namespace strata::dve
