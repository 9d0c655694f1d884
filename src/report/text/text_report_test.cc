#include "report/text/text_report.h"

#include <gtest/gtest.h>

#include "report/testing/fake_model.h"
#include "report/trace/trace_text.h"

namespace strata {
namespace {

RunInfo two_threads() {
  RunInfo run;
  run.version = "1.2.3";
  run.algorithm = "ram";
  run.threads = 2;
  return run;
}

SearchResult statistics() {
  SearchResult result;
  result.states = 882;
  result.transitions = 2646;
  result.expansions = 882;
  result.depth = 2;
  result.levels = {1, 600, 281};
  result.seconds.compile = 0.5;
  result.seconds.search = 0.01;
  result.seconds.generate = 0.006;
  result.seconds.insert = 0.003;
  result.memory_budget = uint64_t{6} << 30;
  result.peak_rss = 12'900'000;
  return result;
}

constexpr const char* kTail = R"(
State Space Explored:

	882 states, 2646 rules fired in 0.01s.

Checked:

	invariants 1: "mutex"
	covers 1: "x was 2"
	deadlock stuttering, a state whose enabled rules all lead back to it
	assertions in rules, run-time errors

Search:

	algorithm ram, 2 threads
	symmetry off
	folding off
	depth 2, largest level 1 with 600 states
	state of 5 bits in 1 byte
	peak memory 12.3 MiB of 6.00 GiB
	time: compile 0.50s, search 0.01s (generate 60 %, insert 30 %)
)";

TEST(TextReport, OfAModelThatHolds) {
  EXPECT_EQ(text_report(FakeModel(), statistics(), two_threads()),
            std::string(kSeparator) + "\nStatus:\n\n\tNo error found.\n" + kTail +
                "\nCovers:\n\n\tcover \"x was 2\" hit\n");
}

TEST(TextReport, ARunAtALimitCouldHaveBeenKept) {
  SearchResult result = statistics();
  result.stop = StopReason::time;
  result.verdict = Verdict::incomplete;
  RunInfo run = two_threads();
  const std::string hint = "\tA run with --checkpoint DIR could be resumed.\n";
  const auto hinted = [&] { return text_report(FakeModel(), result, run).find(hint) != std::string::npos; };
  EXPECT_FALSE(hinted());
  run.resumable = true;
  EXPECT_TRUE(hinted());
  run.checkpoint = CheckpointInfo();
  EXPECT_FALSE(hinted());
  run.checkpoint.reset();
  result.stop = StopReason::bound;
  EXPECT_FALSE(hinted());
}

TEST(TextReport, OfARunThatWasResumed) {
  RunInfo run = two_threads();
  run.checkpoint = CheckpointInfo{"d", 600, 3, 0.5, true, 77, 12.5};
  run.resumptions = {{1.5, 7}, {2.5, 70}};
  const std::string text = text_report(FakeModel(), statistics(), run);
  EXPECT_NE(
      text.find("\tcheckpoints: 3 made in 0.50s\n\tResumed 2 times, last from 70 states after 2.5 s.\n"),
      std::string::npos)
      << text;
}

TEST(TextReport, NamesCoversThatWereNotHit) {
  SearchResult result = statistics();
  result.missed_covers = {1};
  EXPECT_TRUE(text_report(FakeModel(), result, two_threads())
                  .ends_with("\nCovers:\n\n\tcover \"x was 2\" not hit\n"));
}

TEST(TextReport, OfAViolatedInvariant) {
  SearchResult result = statistics();
  result.verdict = Verdict::violated;
  result.counterexamples = {invariant_counterexample()};
  EXPECT_EQ(text_report(FakeModel(), result, two_threads()),
            std::string(R"(
The following is the error trace for the error:

	Invariant "mutex" failed.

)") + trace_text(FakeModel(), invariant_counterexample(), TraceMode::diff) +
                "End of the error trace.\n" + kSeparator + "\nResult:\n\n\tInvariant \"mutex\" failed.\n" +
                kTail + "\tstated at fake.m:12:1: Invariant \"mutex\" failed.\n");
}

TEST(TextReport, WithoutTraceStillGivesTheResult) {
  SearchResult result = statistics();
  result.verdict = Verdict::error;
  result.counterexamples = {runtime_counterexample()};
  RunInfo run = two_threads();
  run.trace = TraceMode::off;
  EXPECT_EQ(text_report(FakeModel(), result, run),
            std::string(kSeparator) + "\nResult:\n\n\tfake.m:20:9: Division by zero.\n" + kTail);
}

TEST(TextReport, OfAnIncompleteSearchSaysWhy) {
  SearchResult result = statistics();
  result.verdict = Verdict::incomplete;
  result.stop = StopReason::memory;
  result.stop_message = "the memory of 64 MiB is full: give more with --memory";
  EXPECT_EQ(text_report(FakeModel(), result, two_threads()), std::string(kSeparator) + R"(
Result:

	Search incomplete: the memory of 64 MiB is full: give more with --memory.
	No error was found in the part explored.
)" + kTail);
}

TEST(TextReport, OfASearchOnDisk) {
  SearchResult result = statistics();
  result.exact = false;
  result.omission_probability = 1.234e-5;
  result.missed_error_probability = 0.25;
  result.disk_peak = uint64_t{3} << 29;
  result.disk_read = uint64_t{9} << 30;
  result.disk_written = uint64_t{2} << 30;
  result.disk_access = "io_uring, direct, 2 folders";
  result.full_detections = 7;
  result.delayed_detections = 12;
  result.parameters = {{"partitions", "32"}};
  result.seconds.detect = 0.0005;
  result.seconds.io = 0.0002;
  result.seconds.queue = 0.0001;
  result.seconds.partition = 0.0001;
  RunInfo run = two_threads();
  run.algorithm = "part";
  run.store.signature_bits = 40;
  const std::string report = text_report(FakeModel(), result, run);
  EXPECT_EQ(report.substr(report.find("Search:"), report.find("\nCovers:") - report.find("Search:")),
            R"(Search:

	algorithm part, 2 threads
	parameters partitions=32
	symmetry off
	folding off
	depth 2, largest level 1 with 600 states
	state of 5 bits in 1 byte, kept as a signature of 40 bits
	peak memory 12.3 MiB of 6.00 GiB
	peak disk 1.50 GiB, read 9.00 GiB, written 2.00 GiB (io_uring, direct, 2 folders)
	detections: 7 full, 0 partial, 12 delayed
	time: compile 0.50s, search 0.01s (generate 60 %, insert 30 %, detect 5 %, io 2 %, queue 1 %, partition 1 %)

Omission Probabilities (caused by Hash Compaction):

	Pr[even one omitted state]    <= 1.234e-05
	Pr[even one undetected error] <= 0.25
)");
}

TEST(TextReport, ADepthThatIsNotExactIsAtMostThat) {
  SearchResult result = statistics();
  result.levels_exact = false;
  EXPECT_NE(text_report(FakeModel(), result, two_threads())
                .find("\tdepth at most 2, largest level 1 with 600 states; states found late are "
                      "counted in later levels\n"),
            std::string::npos);
}

std::string checked(const Model& model, const RunInfo& run) {
  const std::string report = text_report(model, statistics(), run);
  const size_t begin = report.find("Checked:\n\n");
  return report.substr(begin, report.find("\nSearch:") - begin);
}

TEST(TextReport, SaysWhichFormulaWasChecked) {
  class FormulaModel : public FakeModel {
   public:
    FormulaModel() {
      info_.processes = 3;
      info_.properties = {{PropertyKind::proposition, "mutex", {12, 1}},
                          {PropertyKind::invariant, "The formula fails.", {}}};
    }
  };
  RunInfo run = two_threads();
  run.property = "LTL G F p";
  run.deadlock = DeadlockMode::off;
  EXPECT_EQ(checked(FormulaModel(), run),
            "Checked:\n\n\tLTL G F p\n\tnot the model's invariants\n\tdeadlock off\n"
            "\tassertions in rules, run-time errors\n");
  run.cycles = true;
  EXPECT_NE(checked(FormulaModel(), run).find("\tfairness off\n"), std::string::npos);
  run.fairness = "weak, to 3 processes";
  EXPECT_NE(checked(FormulaModel(), run).find("\tfairness weak, to 3 processes\n"), std::string::npos);
}

TEST(TextReport, NamesAFewOfManyInvariants) {
  class ManyInvariants : public FakeModel {
   public:
    explicit ManyInvariants(const std::string& name) {
      info_.properties.clear();
      for (int i = 0; i < 12; ++i)
        info_.properties.push_back({PropertyKind::invariant, name + std::to_string(i), {}});
    }
  };
  EXPECT_NE(checked(ManyInvariants("a"), two_threads())
                .find("\tinvariants 12: \"a0\", \"a1\", \"a2\", \"a3\", \"a4\", \"a5\", \"a6\", \"a7\", "
                      "\"a8\", \"a9\" and 2 more\n"),
            std::string::npos);
  EXPECT_NE(checked(ManyInvariants(std::string(1000, 'a')), two_threads()).find("\tinvariants 12\n"),
            std::string::npos);
}

TEST(StoreName, IsTheOptionsSpelling) {
  EXPECT_EQ(store_name({}), "states");
  EXPECT_EQ(store_name({64}), "signatures:64");
}

TEST(TextReport, ListsSeveralErrors) {
  SearchResult result = statistics();
  result.verdict = Verdict::violated;
  result.counterexamples = {invariant_counterexample(), runtime_counterexample()};
  RunInfo run = two_threads();
  run.trace = TraceMode::off;
  EXPECT_NE(text_report(FakeModel(), result, run)
                .find("Result:\n\n\tInvariant \"mutex\" failed.\n\tfake.m:20:9: Division by zero.\n"),
            std::string::npos);
}

TEST(TextReport, ColoursTheVerdictOnATerminal) {
  RunInfo run;
  run.colour = true;
  SearchResult result;
  EXPECT_NE(text_report(FakeModel(), result, run).find("Status:\n\n\t\x1b[32mNo error found.\x1b[0m\n"),
            std::string::npos);
  result.verdict = Verdict::violated;
  result.counterexamples = {invariant_counterexample()};
  EXPECT_NE(
      text_report(FakeModel(), result, run).find("Result:\n\n\t\x1b[31mInvariant \"mutex\" failed.\x1b[0m\n"),
      std::string::npos);
  run.colour = false;
  EXPECT_EQ(text_report(FakeModel(), result, run).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace strata
