#include "tool/suite/suite_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tool/options/suggestions.h"
#include "tool/suite/yaml.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 7> kVerdicts = {"holds", "violated",   "deadlock", "assertion",
                                                  "error", "incomplete", "rejected"};

// A mistake in the suite. Thrown and caught in this file alone.
struct Mistake {
  std::string text;
  const Json* about = nullptr;  // the value; null: the file
  bool key = false;             // rather its key
};

// The places of values and of their keys. Known for YAML only.
struct Places {
  SourcePosition key, value;
};
using PlacesOf = std::map<const Json*, Places>;

Json json_of(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::text: return node.text;
    case YamlNode::Kind::number: return Json::parse(node.text);
    case YamlNode::Kind::sequence: {
      Json list = Json::array();
      for (const YamlNode::Entry& entry : node.entries) list.push_back(json_of(entry.value));
      return list;
    }
    case YamlNode::Kind::mapping: break;
  }
  Json object = Json::object();
  for (const YamlNode::Entry& entry : node.entries) object[entry.key] = json_of(entry.value);
  return object;
}

// REQUIRES: `value` was made of `node`, so both have the same entries in the same order.
void note_places(const YamlNode& node, SourcePosition key, const Json& value, PlacesOf& places) {
  places[&value] = {key, node.position};
  auto next = value.begin();
  for (const YamlNode::Entry& entry : node.entries) note_places(entry.value, entry.position, *next++, places);
}

void check_names(const Json& object, const std::vector<std::string>& known, const std::string& where) {
  for (const auto& [name, value] : object.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint = nearest(name, known);
    throw Mistake{fmt::format("{} has no '{}'{}", where, name,
                              hint.empty() ? "" : fmt::format("; did you mean '{}'?", hint)),
                  &value, true};
  }
}

std::string text_of(const Json& value, const std::string& what) {
  if (!value.is_string()) throw Mistake{what + " must be a text", &value};
  return value;
}

// A word of a command. In YAML, where texts need no quotes, numbers are words as well.
std::string word_of(const Json& value, const std::string& what, bool yaml) {
  return yaml && value.is_number_unsigned() ? value.dump() : text_of(value, what);
}

std::vector<std::string> words_of(const Json& value, const std::string& what, bool yaml) {
  if (!value.is_array()) throw Mistake{what + " must be a list of texts", &value};
  std::vector<std::string> words;
  for (const Json& word : value) words.push_back(word_of(word, what + ": an entry", yaml));
  return words;
}

std::optional<uint64_t> number_of(const Json& object, const char* name, const std::string& where) {
  if (!object.contains(name)) return std::nullopt;
  if (!object.at(name).is_number_unsigned())
    throw Mistake{fmt::format("{}: '{}' is not a number", where, name), &object.at(name)};
  return object.at(name).get<uint64_t>();
}

std::string verdict_of(const Json& value, const std::string& where) {
  const std::string verdict = text_of(value, where + ": the verdict");
  if (std::find(kVerdicts.begin(), kVerdicts.end(), verdict) != kVerdicts.end()) return verdict;
  throw Mistake{fmt::format("{}: '{}' is not one of {}", where, verdict, fmt::join(kVerdicts, ", ")), &value};
}

Expectation expectation_of(const Json& run, const std::string& where) {
  Expectation expect;
  if (!run.contains("expect")) return expect;
  const Json& value = run.at("expect");
  if (value.is_string()) {
    expect.verdict = verdict_of(value, where);
    return expect;
  }
  if (!value.is_object()) throw Mistake{where + ": 'expect' must be a verdict or an object", &value};
  check_names(value, {"verdict", "states", "transitions", "depth", "message"}, where + ": 'expect'");
  if (value.contains("verdict")) expect.verdict = verdict_of(value.at("verdict"), where);
  expect.states = number_of(value, "states", where);
  expect.transitions = number_of(value, "transitions", where);
  expect.depth = number_of(value, "depth", where);
  if (value.contains("message")) expect.message = text_of(value.at("message"), where + ": 'message'");
  return expect;
}

SuiteRun run_of(const Json& run, size_t number, const std::filesystem::path& folder,
                const std::vector<std::string>& common, bool yaml) {
  const std::string where = fmt::format("run {}", number);
  if (!run.is_object()) throw Mistake{where + " is not an object", &run};
  check_names(run, {"name", "model", "options", "expect"}, where);
  if (!run.contains("model")) throw Mistake{where + " has no 'model'", &run};
  const std::string model = text_of(run.at("model"), where + ": 'model'");
  SuiteRun out;
  out.model = (folder / model).string();
  out.options = common;
  if (run.contains("options")) {
    const std::vector<std::string> own = words_of(run.at("options"), where + ": 'options'", yaml);
    out.options.insert(out.options.end(), own.begin(), own.end());
    out.name = model + " " + fmt::format("{}", fmt::join(own, " "));
  } else {
    out.name = model;
  }
  if (run.contains("name")) out.name = text_of(run.at("name"), where + ": 'name'");
  out.expect = expectation_of(run, where);
  return out;
}

std::vector<SuiteRun> runs_of(const Json& suite, const std::filesystem::path& folder, bool yaml) {
  if (!suite.is_object())
    throw Mistake{yaml ? "a suite must be a mapping with the key 'runs'" : "a suite must be a JSON object",
                  &suite};
  check_names(suite, {"options", "runs"}, "the suite");
  std::vector<std::string> common;
  if (suite.contains("options")) common = words_of(suite.at("options"), "'options'", yaml);
  if (!suite.contains("runs") || !suite.at("runs").is_array() || suite.at("runs").empty())
    throw Mistake{"a suite needs a list 'runs' with at least one run", &suite};
  std::vector<SuiteRun> runs;
  for (const Json& run : suite.at("runs")) runs.push_back(run_of(run, runs.size() + 1, folder, common, yaml));
  return runs;
}

void expect_number(RunRecord& run, const char* what, uint64_t found, std::optional<uint64_t> wanted) {
  if (!wanted || *wanted == found) return;
  run.expected = false;
  run.findings.push_back({"expectation", fmt::format("expected {} {}, found {}", *wanted, what, found),
                          run.model, 0, 0, std::nullopt});
}

// Compares the depth only if the search found the exact depth; otherwise notes that it did not.
void expect_depth(RunRecord& run, std::optional<uint64_t> wanted) {
  if (run.depth.kind == KnownDepth::Kind::exact)
    return expect_number(run, "as depth", run.depth.steps, wanted);
  if (wanted && run.verdict != "rejected")
    run.notes.push_back(fmt::format("depth {}, not compared with {}", run.depth.text(), *wanted));
}

}  // namespace

namespace {

Result<std::vector<SuiteRun>> parse_yaml_suite(const SourceFile& file) {
  const Result<YamlNode> root = read_yaml(file);
  if (!root.ok()) return root.status();
  const Json suite = json_of(*root);
  PlacesOf places;
  note_places(*root, root->position, suite, places);
  try {
    return runs_of(suite, std::filesystem::path(file.name()).parent_path(), true);
  } catch (const Mistake& mistake) {
    const Places& place = places.at(mistake.about);
    Diagnostics diagnostics(file);
    diagnostics.error(mistake.key ? place.key : place.value, mistake.text);
    return Status::usage(diagnostics.render());
  }
}

Result<std::vector<SuiteRun>> parse_json_suite(const SourceFile& file) {
  try {
    return runs_of(Json::parse(file.text()), std::filesystem::path(file.name()).parent_path(), false);
  } catch (const Json::exception& error) {
    return Status::usage(fmt::format("{}: not JSON: {}", file.name(), error.what()));
  } catch (const Mistake& mistake) {
    return Status::usage(fmt::format("{}: {}", file.name(), mistake.text));
  }
}

}  // namespace

Result<std::vector<SuiteRun>> parse_suite(const SourceFile& file) {
  const std::string& name = file.name();
  return name.ends_with(".yaml") || name.ends_with(".yml") ? parse_yaml_suite(file) : parse_json_suite(file);
}

void judge(const Expectation& expect, RunRecord& run) {
  run.expected = true;
  expect_number(run, "states", run.states, expect.states);
  expect_number(run, "transitions", run.transitions, expect.transitions);
  expect_depth(run, expect.depth);
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
