#include "tool/suite/suite_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tool/options/suggestions.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 7> kVerdicts = {"holds", "violated",   "deadlock", "assertion",
                                                  "error", "incomplete", "rejected"};

// What is wrong with the file; thrown within this file alone.
struct Mistake {
  std::string text;
};

void check_names(const Json& object, const std::vector<std::string>& known, const std::string& where) {
  for (const auto& [name, value] : object.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint = nearest(name, known);
    throw Mistake{fmt::format("{} has no '{}'{}", where, name,
                              hint.empty() ? "" : fmt::format("; did you mean '{}'?", hint))};
  }
}

std::string text_of(const Json& value, const std::string& what) {
  if (!value.is_string()) throw Mistake{what + " is not a text"};
  return value;
}

std::vector<std::string> words_of(const Json& value, const std::string& what) {
  if (!value.is_array()) throw Mistake{what + " is not a list of texts"};
  std::vector<std::string> words;
  for (const Json& word : value) words.push_back(text_of(word, what + ": an entry"));
  return words;
}

std::optional<uint64_t> number_of(const Json& object, const char* name, const std::string& where) {
  if (!object.contains(name)) return std::nullopt;
  if (!object.at(name).is_number_unsigned())
    throw Mistake{fmt::format("{}: '{}' is not a number", where, name)};
  return object.at(name).get<uint64_t>();
}

std::string verdict_of(const Json& value, const std::string& where) {
  const std::string verdict = text_of(value, where + ": the verdict");
  if (std::find(kVerdicts.begin(), kVerdicts.end(), verdict) != kVerdicts.end()) return verdict;
  throw Mistake{fmt::format("{}: '{}' is not one of {}", where, verdict, fmt::join(kVerdicts, ", "))};
}

Expectation expectation_of(const Json& run, const std::string& where) {
  Expectation expect;
  if (!run.contains("expect")) return expect;
  const Json& value = run.at("expect");
  if (value.is_string()) {
    expect.verdict = verdict_of(value, where);
    return expect;
  }
  if (!value.is_object()) throw Mistake{where + ": 'expect' is neither a verdict nor an object"};
  check_names(value, {"verdict", "states", "transitions", "depth", "message"}, where + ": 'expect'");
  if (value.contains("verdict")) expect.verdict = verdict_of(value.at("verdict"), where);
  expect.states = number_of(value, "states", where);
  expect.transitions = number_of(value, "transitions", where);
  expect.depth = number_of(value, "depth", where);
  if (value.contains("message")) expect.message = text_of(value.at("message"), where + ": 'message'");
  return expect;
}

SuiteRun run_of(const Json& run, size_t number, const std::filesystem::path& folder,
                const std::vector<std::string>& common) {
  const std::string where = fmt::format("run {}", number);
  if (!run.is_object()) throw Mistake{where + " is not an object"};
  check_names(run, {"name", "model", "options", "expect"}, where);
  if (!run.contains("model")) throw Mistake{where + " has no 'model'"};
  const std::string model = text_of(run.at("model"), where + ": 'model'");
  SuiteRun out;
  out.model = (folder / model).string();
  out.options = common;
  if (run.contains("options")) {
    const std::vector<std::string> own = words_of(run.at("options"), where + ": 'options'");
    out.options.insert(out.options.end(), own.begin(), own.end());
    out.name = model + " " + fmt::format("{}", fmt::join(own, " "));
  } else {
    out.name = model;
  }
  if (run.contains("name")) out.name = text_of(run.at("name"), where + ": 'name'");
  out.expect = expectation_of(run, where);
  return out;
}

std::vector<SuiteRun> runs_of(const Json& suite, const std::filesystem::path& folder) {
  if (!suite.is_object()) throw Mistake{"it is not a JSON object"};
  check_names(suite, {"options", "runs"}, "the suite");
  std::vector<std::string> common;
  if (suite.contains("options")) common = words_of(suite.at("options"), "'options'");
  if (!suite.contains("runs") || !suite.at("runs").is_array() || suite.at("runs").empty())
    throw Mistake{"it has no list 'runs' with at least one run"};
  std::vector<SuiteRun> runs;
  for (const Json& run : suite.at("runs")) runs.push_back(run_of(run, runs.size() + 1, folder, common));
  return runs;
}

void expect_number(RunRecord& run, const char* what, uint64_t found, std::optional<uint64_t> wanted) {
  if (!wanted || *wanted == found) return;
  run.expected = false;
  run.findings.push_back({"expectation", fmt::format("expected {} {}, found {}", *wanted, what, found),
                          run.model, 0, 0, std::nullopt});
}

}  // namespace

Result<std::vector<SuiteRun>> parse_suite(const std::string& path, const std::string& text) {
  try {
    return runs_of(Json::parse(text), std::filesystem::path(path).parent_path());
  } catch (const Json::exception& error) {
    return Status::usage(fmt::format("{}: it is not JSON: {}", path, error.what()));
  } catch (const Mistake& mistake) {
    return Status::usage(fmt::format("{}: {}", path, mistake.text));
  }
}

void judge(const Expectation& expect, RunRecord& run) {
  run.expected = true;
  expect_number(run, "states", run.states, expect.states);
  expect_number(run, "transitions", run.transitions, expect.transitions);
  expect_number(run, "as depth", run.depth, expect.depth);
  const bool said =
      std::any_of(run.findings.begin(), run.findings.end(), [&](const RunRecord::Finding& finding) {
        return finding.message.find(expect.message) != std::string::npos;
      });
  if (!expect.message.empty() && !said) {
    run.expected = false;
    run.findings.push_back({"expectation", fmt::format("expected a message with '{}'", expect.message),
                            run.model, 0, 0, std::nullopt});
  }
  if (run.verdict == expect.verdict) return;
  run.expected = false;
  run.findings.push_back({"expectation", fmt::format("expected {}, found {}", expect.verdict, run.verdict),
                          run.model, 0, 0, std::nullopt});
}

}  // namespace strata
