#include "check/actors.h"

#include <gtest/gtest.h>

#include "ir/actors/rule_accesses.h"
#include "lang/language.h"

namespace strata {
namespace {

constexpr const char* kModel =
    "type P: 1..2; var x: array [P] of 0..2; y: 0..2;\n"
    "startstate for p: P do x[p] := 0; end; y := 0; end;\n"
    "-- actor: memory\n"
    "ruleset p: P; q: P do\n"
    "  rule \"both\" x[p] = x[q] ==> y := 1; end;\n"
    "  rule \"one\" -- actor: q\n"
    "    x[p] = 1 ==> y := 2; end;\n"
    "  rule \"other\" x[p] = 2 ==> y := 0;\n"
    "  -- actor: p (a comment)\n"
    "  end;\n"
    "end;\n"
    "rule \"none\" y = 1 ==> y := 0; end;\n";

std::string actors(const std::vector<std::string>& given) {
  const SourceFile file("m.m", kModel);
  LanguageOptions options;
  options.source = &file;
  Result<ir::Program> program = compile_file("m.m", options);
  if (!program.ok()) return program.status().message();
  if (Status status = name_actors(given, *program); !status.ok()) return status.message();
  std::string out;
  for (const ir::Rule& rule : program->rules) out += rule.name + ":" + rule.actor + " ";
  return out;
}

// "w cache[p].at" for each access; ? is an index other than a parameter.
std::string accesses(const std::string& declarations, const std::string& rule) {
  const SourceFile file("m.m",
                        "type P: 1..2; var cache: array [P] of record at: 0..2; owner: P; end;\n"
                        "home: record phase: 0..2; set: array [P] of boolean; end;\n" +
                            declarations +
                            "startstate clear cache; clear home; end;\nruleset p: P; q: P do rule " + rule +
                            " end; end;\n");
  LanguageOptions options;
  options.source = &file;
  const Result<ir::Program> program = compile_file("m.m", options);
  if (!program.ok()) return program.status().message();
  std::string out;
  for (const RuleAccess& one : ir::rule_accesses(*program, program->rules[0])) {
    out += (one.write ? "w " : "r ") + one.path;
    if (one.index == RuleAccess::Index::parameter) out += one.parameter == 0 ? "[p]" : "[q]";
    if (one.index == RuleAccess::Index::other) out += "[?]";
    out += one.inside + " ";
  }
  return out;
}

TEST(RuleAccesses, GoThroughCallsAndAliases) {
  EXPECT_EQ(accesses("", "cache[p].at = 0 ==> home.phase := 1; cache[cache[q].owner].at := 2;"),
            "r cache[p].at w home.phase w cache[?].at r cache[q].owner ");
  EXPECT_EQ(accesses("procedure set(i: P; var c: 0..2); begin c := 1; home.set[i] := true; end;\n",
                     "true ==> set(q, cache[p].at);"),
            "w cache[p].at w home.set[q] ");
  EXPECT_EQ(accesses("procedure again(i: P); begin if cache[i].at = 0 then again(i); end; end;\n",
                     "true ==> alias c: cache[q]; j: p do c.at := 1; again(j); end;"),
            "w cache[q].at r cache[p].at ");
  EXPECT_EQ(accesses("", "true ==> for i: P do cache[i].at := 0; end;"), "w cache[?].at ");
}

TEST(Actors, AreNamedInComments) { EXPECT_EQ(actors({}), "both:memory one:q other:p none: "); }

TEST(Actors, AreNamedByOptions) {
  EXPECT_EQ(actors({"p", "none=home", "other=q"}), "both:memory one:q other:q none:home ");
  EXPECT_EQ(actors({"nothing"}), "--actor: no rule of m.m has a parameter 'nothing'");
  EXPECT_EQ(actors({"nothing=p"}), "--actor: m.m has no rule \"nothing\"");
}

}  // namespace
}  // namespace strata
