#include "report/page/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/page/content_policy.h"
#include "report/page/trace_data.h"
#include "report/testing/fake_model.h"

namespace strata {
namespace {

using PageJson = nlohmann::ordered_json;

// The block of data of a page.
PageJson data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = page.find(open) + open.size();
  return PageJson::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

SearchResult a_violation() {
  SearchResult result;
  result.verdict = Verdict::violated;
  result.states = 7;
  result.levels.push_back(1);
  result.levels.push_back(6);
  result.counterexamples = {invariant_counterexample()};
  result.series = {{0.5, 3, 1, 100, 0, 0, 0}, {1.5, 7, 0, 200, 50, 7, 9}};
  return result;
}

std::string page_of(const SearchResult& result, const RunInfo& run = {}, const PageInfo& page = {}) {
  return gather_text([&](const TextSink& sink) {
    const FakeModel model;
    write_page({{{model, result, run}}}, page, sink);
  });
}

TEST(Page, HasTheReportWithoutStepsAndTheTraceInDifferences) {
  const PageJson data = data_of(page_of(a_violation()));
  EXPECT_EQ(data["report"]["verdict"], "violated");
  EXPECT_EQ(data["report"]["levels"].dump(), "[1,6]");
  EXPECT_EQ(data["report"]["counterexample"]["length"], 2);
  EXPECT_FALSE(data["report"]["counterexample"].contains("steps"));
  EXPECT_EQ(data["verdict"].dump(), R"(["Invariant \"mutex\" failed."])");
  ASSERT_EQ(data["traces"].size(), 1u);
  const PageJson& trace = data["traces"][0];
  EXPECT_EQ(trace["steps"].size(), 3u);
  EXPECT_EQ(
      trace["steps"][0]["c"].dump(),
      R"([[[],{"r":[["x",0],["p",{"a":[["1","L0"],["2",null]]}],["r",{"r":[["b",false]]}],["m",{"m":[]}]]}]])");
  EXPECT_EQ(trace["steps"][1]["c"].dump(), R"([[[0],2],[[1,0],"L2"],[[2,0],true],[[3],{"m":[3,3]}]])");
  EXPECT_EQ(
      trace["rules"].dump(),
      R"([{"name":"Startstate 0"},{"name":"step","parameters":"i:1"},{"name":"step","parameters":"i:2"}])");
}

TEST(Page, HasTheMomentsOfTheSearch) {
  EXPECT_EQ(
      data_of(page_of(a_violation()))["series"].dump(),
      R"({"began":0.0,"seconds":[0.5,1.5],"states":[3,7],"queue":[1,0],"memory":[100,200],"disk":[0,50],)"
      R"("least":[null,7.0],"most":[null,9.0]})");
}

TEST(Page, OfAFailingRuleAndOfALasso) {
  SearchResult result = a_violation();
  result.counterexamples = {runtime_counterexample()};
  EXPECT_EQ(data_of(page_of(result))["traces"][0]["failing"].dump(),
            R"({"r":2,"p":[],"guard":false,"message":"Division by zero.","line":20})");
  result.counterexamples = {invariant_counterexample()};
  result.counterexamples[0].loop = 1;
  result.counterexamples[0].loop_rule = 4;
  RunInfo run;
  run.propositions = {"p", "q"};
  const PageJson trace = data_of(page_of(result, run))["traces"][0];
  EXPECT_EQ(trace["loop"], 1);
  EXPECT_EQ(trace["rules"][trace["loop_step"]["r"].get<size_t>()]["parameters"], "i:4");
  EXPECT_EQ(trace["propositions"].dump(), R"(["p","q"])");
  EXPECT_EQ(trace["steps"][0]["t"], "00");
}

TEST(Page, WithoutACounterexampleHasNoTrace) {
  SearchResult result;
  EXPECT_EQ(data_of(page_of(result))["traces"].dump(), "[]");
}

TEST(Page, TextsCannotLeaveTheirPlace) {
  SearchResult result = a_violation();
  const std::string text = "</script><script>alert(1)</script><!-- ' \" & \xe2\x80\xa8 \xff";
  result.counterexamples[0].text.message = text;
  PageInfo page;
  page.command = text;
  page.sources = {SourceFile(text, text)};
  const std::string html = page_of(result, {}, page);
  // Only the page's own scripts and its block of data may contain the end tag of a script.
  size_t ends = 0;
  for (size_t at = html.find("</script"); at != std::string::npos; at = html.find("</script", at + 1)) ++ends;
  EXPECT_EQ(ends, page_scripts().size() + 1);
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  const PageJson data = data_of(html);
  EXPECT_EQ(data["sources"][0]["path"].get<std::string>().substr(0, 34), text.substr(0, 34));
  EXPECT_NE(html.find("<h1 id=\"verdict-words\">&lt;/script&gt;&lt;script&gt;alert(1)"), std::string::npos);
}

TEST(Page, PolicyNamesEveryScript) {
  const std::string html = page_of(a_violation());
  size_t scripts = 0;
  for (size_t at = html.find("<script>"); at != std::string::npos; at = html.find("<script>", at + 1))
    ++scripts;
  EXPECT_EQ(scripts, page_scripts().size());
  const std::string policy = content_policy();
  for (const PagePart& script : page_scripts())
    EXPECT_NE(policy.find("'sha256-" + base64_of_hex(script.sha256) + "'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src"));
}

TEST(Page, IsSmall) { EXPECT_LT(page_of(SearchResult()).size(), 450u << 10); }

TEST(Page, Base64) {
  EXPECT_EQ(base64_of_hex("4d616e"), "TWFu");
  EXPECT_EQ(base64_of_hex("4d61"), "TWE=");
  EXPECT_EQ(base64_of_hex("4d"), "TQ==");
  EXPECT_EQ(base64_of_hex("4d616e4d"), "TWFuTQ==");
  EXPECT_EQ(base64_of_hex(""), "");
}

TEST(Page, OfAMessageAlone) {
  EXPECT_NE(message_page("a<b", "c&d").find("<h1>a&lt;b</h1>\n<p>c&amp;d</p>"), std::string::npos);
}

TEST(PageChanges, AreTheSmallestParts) {
  const Value one = number(1), two = number(2);
  const auto list = [](std::vector<Value> members) {
    std::vector<std::pair<std::string, Value>> named;
    for (size_t i = 0; i < members.size(); ++i) named.emplace_back(std::to_string(i), members[i]);
    return compound(Value::Kind::array, std::move(named));
  };
  EXPECT_EQ(page_changes(list({one, one}), list({one, two})).dump(), "[[[1],2]]");
  EXPECT_EQ(page_changes(list({one}), list({one})).dump(), "[]");
  // A value with another shape is replaced as a whole.
  EXPECT_EQ(page_changes(list({one}), list({one, two})).dump(), R"([[[],{"a":[["0",1],["1",2]]}]])");
  EXPECT_EQ(page_changes(list({one}), one).dump(), "[[[],1]]");
  EXPECT_EQ(page_value(number(int64_t{1} << 60)).dump(), R"({"i":"1152921504606846976"})");
}

}  // namespace
}  // namespace strata
