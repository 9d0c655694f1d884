// For tests of all safety searches: every row of the table, with its parameters, and what a result has to
// have in common with that of the reference checker. What a row promises is read from its traits.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "engine/testing/reference_checker.h"
#include "search/algorithms.h"

namespace strata {

// An algorithm with some of its parameters set.
struct Variant {
  const Algorithm* algorithm;
  std::map<std::string, std::string> parameters;
  uint32_t traits;  // those of the row, and those that the parameters add

  bool has(uint32_t wanted) const { return (traits & wanted) == wanted; }
};

// Parameters that are worth a variant of their own.
struct Setting {
  const char* algorithm;
  std::map<std::string, std::string> parameters;
  uint32_t adds = 0;  // traits
};

// Every row as it stands, and each of the settings. Searches on a device have tests of their own, which give them one
// (search/gpu_test.cc).
inline std::vector<Variant> make_variants(const std::vector<Algorithm>& rows,
                                          const std::vector<Setting>& settings) {
  std::vector<Variant> variants;
  for (const Algorithm& row : rows)
    if (!row.has(trait::on_device)) variants.push_back({&row, {}, row.traits});
  for (const Setting& setting : settings) {
    const Algorithm* row = find_row(rows, setting.algorithm);
    EXPECT_NE(nullptr, row) << setting.algorithm;
    if (row != nullptr) variants.push_back({row, setting.parameters, row->traits | setting.adds});
  }
  return variants;
}

inline const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = make_variants(
      algorithms(),
      {
          {"mono", {{"table", "open"}}},
          {"dbf", {{"table", "open"}}},
          {"cbf", {{"gamma", "0.5"}}},
          {"serial", {{"gamma", "0"}}},
          {"hddd", {{"partitions", "3"}}},
          {"dddd", {{"partial", "0"}, {"partitions", "2"}}},
          {"dddd", {{"partial", "2"}, {"rc", "100"}, {"beta", "0"}}},
          {"dddd", {{"costs", "measured"}, {"partial", "8"}}},
          {"part", {{"partitions", "4"}}},
          {"part", {{"partition", "hash"}}},
          // The moment of the switch from RAM to disk varies.
          {"auto", {{"ram", "0"}}},
          {"auto", {{"ram", "0.6"}}},
          // States are decided in the background, again and again.
          {"auto", {{"ram", "0.1"}, {"waiting", "0.001"}}},
          {"auto", {{"ram", "0.3"}, {"levels", "exact"}}, trait::level_by_level | trait::exact_depth},
          {"auto", {{"ram", "0"}, {"levels", "exact"}}, trait::level_by_level | trait::exact_depth},
      });
  return all;
}
// Those that have files.
inline std::vector<Variant> disk_variants() {
  std::vector<Variant> chosen = variants();
  std::erase_if(chosen, [](const Variant& variant) { return !variant.has(trait::on_disk); });
  return chosen;
}

inline std::string name_of(const Variant& variant) {
  std::string name = variant.algorithm->name;
  for (const auto& [key, value] : variant.parameters) name += " " + key + "=" + value;
  return name;
}

// The same as GoogleTest wants it.
inline std::string test_name(const Variant& variant) {
  std::string name = name_of(variant);
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}
inline void PrintTo(const Variant& variant, std::ostream* out) { *out << name_of(variant); }

inline std::vector<uint64_t> error_lengths(const SearchResult& result) {
  std::vector<uint64_t> lengths;
  for (const Counterexample& found : result.counterexamples) {
    if (found.steps.empty() && found.failure.kind == Failure::Kind::property) continue;  // a missed cover
    lengths.push_back(found.length());
  }
  return lengths;
}

// A cache that forgets too much, or a budget that is enough to begin, but not to continue or to count.
inline bool has_no_room(const SearchResult& result, const Variant& variant) {
  if (result.stop != StopReason::memory) return false;
  return variant.has(trait::gives_up) || result.reason == Reason::memory_for_sorting ||
         result.reason == Reason::memory_for_counting || result.reason == Reason::memory_for_successors;
}

// How the runs of a variant ended. A search that cannot begin or cannot go on for want of room proves
// nothing, so a test bounds how often that happens.
struct Tally {
  uint64_t runs = 0, too_small = 0, gave_up = 0;
  uint64_t answers() const { return runs - too_small - gave_up; }

  void expect_enough(const Variant& variant) const {
    SCOPED_TRACE(name_of(variant) + ": " + std::to_string(runs) + " runs, " + std::to_string(too_small) +
                 " without room to begin, " + std::to_string(gave_up) + " gave up");
    EXPECT_GT(answers(), 0u);
    // A quarter of the runs has the least budget, which some searches cannot begin or end with.
    EXPECT_LE(too_small * 3, runs);
    EXPECT_LE(gave_up * (variant.has(trait::gives_up) ? 2 : 4), runs);
  }
};

// Every transition is one of a rule.
inline void expect_coverage_adds_up(const SearchResult& result) {
  uint64_t fired = result.coverage.stuttered;
  for (const Coverage::Rule& rule : result.coverage.rules) {
    fired += rule.fired;
    EXPECT_LE(rule.states, rule.fired);
    EXPECT_LE(rule.states, result.expansions);
  }
  EXPECT_EQ(fired, result.transitions);
}

inline void expect_same_coverage(const std::vector<Coverage::Rule>& expected, const Coverage& actual) {
  ASSERT_EQ(expected.size(), actual.rules.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].fired, actual.rules[i].fired) << "rule " << i;
    EXPECT_EQ(expected[i].states, actual.rules[i].states) << "rule " << i;
  }
}

inline void expect_same(const ReferenceResult& expected, const SearchResult& actual, const Variant& variant) {
  // A search that visits states again may find at the bound what it had seen before, and cannot tell.
  if (!variant.has(trait::exact_depth) && expected.stop == StopReason::none &&
      actual.stop == StopReason::bound)
    return;
  EXPECT_EQ(expected.stop, actual.stop) << actual.stop_message;
  EXPECT_EQ(actual.stop, stop_of(actual.reason)) << reason_name(actual.reason);
  const bool whole = expected.verdict == Verdict::holds;
  if (variant.has(trait::exact_depth)) {
    EXPECT_EQ(expected.verdict, actual.verdict);
    EXPECT_EQ(expected.states, actual.states);
    EXPECT_EQ(expected.levels, actual.levels);
    EXPECT_EQ(expected.levels.empty() ? 0 : expected.levels.size() - 1, actual.depth);
  } else {
    // Which of several errors comes first is another matter.
    EXPECT_EQ(whole, actual.verdict == Verdict::holds);
    if (whole) {
      EXPECT_EQ(expected.states, actual.states);
    }
  }
  if (!variant.has(trait::revisits) && (variant.has(trait::exact_depth) || whole)) {
    EXPECT_EQ(expected.transitions, actual.transitions);
    EXPECT_EQ(expected.expansions, actual.expansions);
    if (actual.stop == StopReason::none) expect_same_coverage(expected.coverage, actual.coverage);
  } else if (whole) {
    EXPECT_LE(expected.transitions, actual.transitions);
    EXPECT_LE(expected.expansions, actual.expansions);
  }
  expect_coverage_adds_up(actual);
  EXPECT_EQ(expected.missed_covers, actual.missed_covers);
  const std::vector<uint64_t> lengths = error_lengths(actual);
  if (variant.has(trait::level_by_level)) {
    EXPECT_EQ(expected.error_lengths, lengths);
  } else {
    EXPECT_EQ(expected.error_lengths.empty(), lengths.empty());
  }
  // A search that may be late says by how much.
  if (!lengths.empty() && !expected.error_lengths.empty() && !actual.levels.empty()) {
    EXPECT_LE(lengths.front(), expected.error_lengths.front() + actual.longer_by_at_most);
  }
  if (variant.has(trait::exact_depth)) {
    EXPECT_TRUE(actual.levels_exact);
  }
  if (actual.levels_exact && whole && !actual.levels.empty()) {
    EXPECT_EQ(expected.levels, actual.levels);
  }
}

}  // namespace strata
