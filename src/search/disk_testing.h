// For tests of the searches on disk: all of them with their parameters, and what a result has to have in common with that of
// the reference checker.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "search/algorithm.h"
#include "search/reference_checker.h"

namespace strata {

struct Variant {
  const char* algorithm;
  std::map<std::string, std::string> parameters;
  bool levels = true;     // level by level: the sizes of the levels are those of breadth-first search
  bool once = true;       // each state is expanded once
  bool gives_up = false;  // may end incomplete
  bool shortest = true;   // counterexamples are
};

inline const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"mono", {}},
      {"mono", {{"table", "open"}}},
      {"local", {}, false, false},
      {"dbf", {{"table", "open"}}, false, false},
      {"cbf", {{"gamma", "0.5"}}, false, false, true},
      {"serial", {}, false, false},
      {"serial", {{"gamma", "0"}}, false, false},
      {"hddd", {}},
      {"hddd", {{"partitions", "3"}}},
      {"dddd", {}, true, false},
      {"dddd", {{"partial", "0"}, {"partitions", "2"}}, true, false},
      {"dddd", {{"partial", "2"}, {"rc", "100"}, {"beta", "0"}}, true, false},
      {"dddd", {{"costs", "measured"}, {"partial", "8"}}, true, false},
      {"part", {}, false, true, false, false},
      {"part", {{"partitions", "4"}}, false, true, false, false},
      {"part", {{"partition", "hash"}}, false, true, false, false},
      // The moment of the switch from RAM to disk varies.
      {"auto", {}, false, true, false, false},
      {"auto", {{"ram", "0"}}, false, true, false, false},
      {"auto", {{"ram", "0.6"}}, false, true, false, false},
      {"auto", {{"ram", "0.3"}, {"levels", "exact"}}},
      {"auto", {{"ram", "0"}, {"levels", "exact"}}},
  };
  return all;
}

inline std::string name_of(const Variant& variant) {
  std::string name = variant.algorithm;
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

// A cache that forgets too much, or a budget that is enough to begin, but not to go on or to count.
inline bool has_no_room(const SearchResult& result, const Variant& variant) {
  if (result.stop != StopReason::memory) return false;
  const auto says = [&](const char* text) { return result.stop_message.find(text) != std::string::npos; };
  return variant.gives_up || says("no room to sort") || says("to count the states") ||
         says("for the successors");
}

inline void expect_same(const ReferenceResult& expected, const SearchResult& actual, const Variant& variant) {
  // A search that visits states again may find at the bound what it had seen before, and cannot tell.
  if (!variant.levels && expected.stop == StopReason::none && actual.stop == StopReason::bound) return;
  EXPECT_EQ(expected.stop, actual.stop) << actual.stop_message;
  const bool whole = expected.verdict == Verdict::holds;
  if (variant.levels) {
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
  if (variant.once && (variant.levels || whole)) {
    EXPECT_EQ(expected.transitions, actual.transitions);
    EXPECT_EQ(expected.expansions, actual.expansions);
  } else if (whole) {
    EXPECT_LE(expected.transitions, actual.transitions);
    EXPECT_LE(expected.expansions, actual.expansions);
  }
  EXPECT_EQ(expected.missed_covers, actual.missed_covers);
  const std::vector<uint64_t> lengths = error_lengths(actual);
  if (variant.shortest) {
    EXPECT_EQ(expected.error_lengths, lengths);
  } else {
    EXPECT_EQ(expected.error_lengths.empty(), lengths.empty());
  }
  // A search that may be late says by how much.
  if (!lengths.empty() && !expected.error_lengths.empty() && !actual.levels.empty()) {
    EXPECT_LE(lengths.front(), expected.error_lengths.front() + actual.longer_by_at_most);
  }
  if (actual.levels_exact && whole && !actual.levels.empty() && variant.once) {
    EXPECT_EQ(expected.levels, actual.levels);
  }
}

}  // namespace strata
