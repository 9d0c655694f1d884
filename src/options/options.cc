#include "options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "lang/language.h"
#include "options/folder_values.h"
#include "options/option_values.h"

namespace strata {
namespace {

// Stores one of a few words.
template <class T>
Status choose(T& field, const std::string& text, std::initializer_list<std::pair<const char*, T>> choices) {
  std::string words;
  for (const auto& [word, value] : choices) {
    if (text == word) {
      field = value;
      return {};
    }
    words += words.empty() ? word : std::string(", ") + word;
  }
  return Status::usage(fmt::format("'{}' is not one of {}", text, words));
}

// Stores what a parser of option_values.h read.
template <class Field, class T>
Status store(Field& field, const Result<T>& parsed) {
  if (!parsed.ok()) return parsed.status();
  field = *parsed;
  return {};
}

Status store_path(std::string& field, const std::string& text) {
  if (text.empty()) return Status::usage("the file name is empty");
  field = text;
  return {};
}

// Stores one of the words.
Status choose_word(std::string& field, const std::string& text, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), text) == words.end())
    return Status::usage(fmt::format("'{}' is not one of {}", text, fmt::join(words, ", ")));
  field = text;
  return {};
}

std::vector<std::string> split_choices(const std::string& choices) {
  std::vector<std::string> words;
  std::istringstream in(choices);
  for (std::string word; std::getline(in, word, '|');) words.push_back(word);
  return words;
}

Status set_define(Options& options, const std::string& text) {
  const auto definition = parse_definition(text);
  if (!definition.ok()) return definition.status();
  options.defines.push_back(*definition);
  return {};
}

Status set_actor(Options& options, const std::string& text) {
  if (text.empty() || text.front() == '=' || text.back() == '=')
    return Status::usage("an actor is NAME or RULE=NAME");
  options.actors.push_back(text);
  return {};
}

Status set_invariant(Options& options, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return Status::usage("the expression is empty");
  options.invariants.push_back(text);
  return {};
}

Status set_deadlock(Options& options, const std::string& text) {
  DeadlockMode mode = DeadlockMode::off;
  const Status status = choose(
      mode, text,
      {{"off", DeadlockMode::off}, {"stuck", DeadlockMode::stuck}, {"stuttering", DeadlockMode::stuttering}});
  if (status.ok()) options.deadlock = mode;
  return status;
}

Status set_property(Options& options, const std::string& text) {
  if (text.empty()) return Status::usage("the name is empty");
  options.properties.push_back(text);
  return {};
}

Status set_ltl(Options& options, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return Status::usage("the formula is empty");
  options.formulas.push_back(text);
  return {};
}

Status set_safety(Options& options, const std::string&) {
  options.safety = true;
  return {};
}

Status set_proposition(Options& options, const std::string& text) {
  const auto definition = parse_definition(text);
  if (!definition.ok()) return Status::usage(fmt::format("'{}' is not of the form NAME=EXPR", text));
  std::erase_if(options.propositions, [&](const auto& other) { return other.first == definition->first; });
  options.propositions.push_back(*definition);
  return {};
}

Status set_automaton(Options& options, const std::string& text) {
  std::string path;
  const Status status = store_path(path, text);
  if (status.ok()) options.automata.push_back(path);
  return status;
}

Status set_fairness(Options& options, const std::string& text) {
  if (text == "none") {
    options.fairness.clear();
    return {};
  }
  FairnessRequest request;
  const size_t end = std::min(text.find_first_of(":/"), text.size());
  const Status kind = choose(request.strong, text.substr(0, end), {{"weak", false}, {"strong", true}});
  if (!kind.ok())
    return Status::usage(
        fmt::format("'{}' is not none, weak or strong, perhaps with a rule and a parameter: strong:RULE, "
                    "weak:RULE/PARAMETER",
                    text));
  // A rule may have a name with a '/'; the parameter is what follows the last one.
  const size_t slash = text.rfind('/');
  const bool has_parameter = slash != std::string::npos && slash >= end;
  const size_t rule_end = has_parameter ? slash : text.size();
  if (end < rule_end) request.rule = text.substr(end + 1, rule_end - end - 1);
  if (has_parameter) request.parameter = text.substr(slash + 1);
  if ((end < rule_end && request.rule.empty()) || (has_parameter && request.parameter.empty()))
    return Status::usage(fmt::format("'{}' names no {}", text,
                                     has_parameter && request.parameter.empty() ? "parameter" : "rule"));
  options.fairness.push_back(std::move(request));
  return {};
}

Status set_finite(Options& options, const std::string& text) {
  return choose(options.ignore_finite, text, {{"stutter", false}, {"ignore", true}});
}

Status set_algorithm(Options& options, const std::string& text) {
  options.algorithm = text;
  return {};
}

Status set_set(Options& options, const std::string& text) {
  const auto definition = parse_definition(text);
  if (!definition.ok()) return definition.status();
  options.parameters[definition->first] = definition->second;
  return {};
}

Status set_all(Options& options, const std::string&) {
  options.all_parameters = true;
  return {};
}

Status set_memory(Options& options, const std::string& text) {
  const Result<uint64_t> size = parse_size(text);
  if (size.ok() && *size < kLeastMemory) {
    return Status::usage(fmt::format("'{}' is {} bytes; a search needs at least 16M", text, *size));
  }
  return store(options.memory, size);
}

Status set_threads(Options& options, const std::string& text) {
  const Result<uint64_t> number = parse_number(text, 1, 1024);
  if (!number.ok()) return number.status();
  options.threads = static_cast<unsigned>(*number);
  return {};
}

Status set_device(Options& options, const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) {
    const Result<uint64_t> number = parse_number(text, 0, 1023);
    if (!number.ok()) return number.status();
  } else if (text != "auto" && text != "none" && text != "host") {
    return Status::usage(fmt::format("'{}' is not auto, none, host or the number of a device", text));
  }
  options.device = text;
  return {};
}

Status set_device_memory(Options& options, const std::string& text) {
  const Result<uint64_t> size = parse_size(text);
  if (size.ok() && *size < kLeastDeviceMemory) {
    return Status::usage(
        fmt::format("'{}' is {} bytes; a search on a device needs at least 1M", text, *size));
  }
  return store(options.device_memory, size);
}

Status set_devices(Options& options, const std::string&) {
  options.devices = true;
  return {};
}

Status set_store(Options& options, const std::string& text) {
  return store(options.store, parse_store(text));
}

Status set_disk(Options& options, const std::string& text) {
  // The folder of a rank is checked later, when its number and host are known.
  const bool of_rank = text.find("%r") != std::string::npos || text.find("%h") != std::string::npos;
  if (Status status = existing_folder(text); !of_rank && !status.ok()) return status;
  for (const std::string& other : options.disks) {
    if (other == text) return Status::usage(fmt::format("'{}' is given twice", text));
    if (same_folder(other, text))
      return Status::usage(fmt::format("'{}' and '{}' are the same folder", other, text));
  }
  options.disks.push_back(text);
  return {};
}

Status set_disk_limit(Options& options, const std::string& text) {
  const Result<uint64_t> size = parse_size(text);
  if (size.ok() && *size < kLeastDisk) {
    return Status::usage(fmt::format("'{}' is {} bytes; a search on disk needs at least 1M", text, *size));
  }
  return store(options.disk_limit, size);
}

Status set_keep(Options& options, const std::string& text) {
  if (Status status = new_or_empty_folder(text); !status.ok()) return status;
  options.keep = text;
  return {};
}

// Not checked here: a resumed run has the folder already.
Status set_checkpoint(Options& options, const std::string& text) {
  if (text.empty()) return Status::usage("the name of the folder is empty");
  options.checkpoint = text;
  return {};
}

Status set_checkpoint_every(Options& options, const std::string& text) {
  return store(options.checkpoint_every, parse_duration(text));
}

Status set_previous(Options& options, const std::string&) {
  options.previous = true;
  return {};
}

Status set_symmetry(Options& options, const std::string& text) {
  ir::SymmetryMode mode = ir::SymmetryMode::exact;
  // Scripts may still name the mode `heuristic`, which was no faster than `exact` and is the same now.
  const Status status = choose(mode, text == "heuristic" ? "exact" : text,
                               {{"exact", ir::SymmetryMode::exact}, {"off", ir::SymmetryMode::off}});
  options.symmetry = mode;
  return status;
}

Status set_fold(Options& options, const std::string& text) {
  return choose(options.fold, text,
                {{"auto", FoldMode::automatic}, {"on", FoldMode::on}, {"off", FoldMode::off}});
}

Status set_symmetry_check(Options& options, const std::string& text) {
  return store(options.symmetry_check, parse_number(text, 0, UINT64_MAX));
}

Status set_bound(Options& options, const std::string& text) {
  return store(options.bound, parse_number(text, 0, UINT64_MAX));
}

Status set_time_limit(Options& options, const std::string& text) {
  return store(options.time_limit, parse_seconds(text));
}

Status set_plan(Options& options, const std::string&) {
  options.plan = true;
  return {};
}

Status set_max_errors(Options& options, const std::string& text) {
  return store(options.max_errors, parse_number(text, 1, 1'000'000));
}

Status set_steps(Options& options, const std::string& text) {
  return store(options.steps, parse_number(text, 1, UINT64_MAX));
}

Status set_depth(Options& options, const std::string& text) {
  return store(options.depth, parse_number(text, 1, UINT64_MAX));
}

Status set_seed(Options& options, const std::string& text) {
  return store(options.seed, parse_number(text, 0, UINT64_MAX));
}

Status set_trace(Options& options, const std::string& text) {
  return choose(options.trace, text,
                {{"diff", TraceMode::diff}, {"full", TraceMode::full}, {"off", TraceMode::off}});
}

Status set_output(Options& options, const std::string& text) {
  if (text == "-")
    return Status::usage("'-' has no format; name a file that ends in .dot, .json, .graphml or .aut");
  return store_path(options.output, text);
}

Status set_states(Options& options, const std::string& text) {
  return store(options.graph_states, parse_number(text, 1, 1'000'000));
}

Status set_label(Options& options, const std::string& text) {
  if (text.empty()) return Status::usage("the name is empty");
  options.labels.push_back(text);
  return {};
}

Status set_around(Options& options, const std::string& text) {
  return store(options.around, parse_number(text, 0, 1'000'000));
}

Status set_coverage(Options& options, const std::string& text) {
  return choose(options.coverage, text,
                {{"brief", CoverageMode::brief}, {"full", CoverageMode::full}, {"off", CoverageMode::off}});
}

Status set_show(Options& options, const std::string& text) {
  options.show.push_back(text);
  return {};
}

Status set_where(Options& options, const std::string& text) {
  options.where = text;
  return {};
}

Status set_along(Options& options, const std::string& text) { return store_path(options.along, text); }

Status set_trace_file(Options& options, const std::string& text) {
  if (text == "-") return Status::usage("'-' is not a file name; text and JSON reports contain the trace");
  return store_path(options.trace_file, text);
}

Status set_json(Options& options, const std::string& text) { return store_path(options.json, text); }

Status set_junit(Options& options, const std::string& text) { return store_path(options.junit, text); }

Status set_sarif(Options& options, const std::string& text) { return store_path(options.sarif, text); }

Status set_report(Options& options, const std::string& text) {
  if (text == "-") return Status::usage("'-' is not a file name; name a file that ends in .html");
  if (!text.empty() && !text.ends_with(".html") && !text.ends_with(".htm"))
    return Status::usage(fmt::format("'{}' does not end in .html: the report is a page for a browser", text));
  return store_path(options.report, text);
}

Status set_progress(Options& options, const std::string& text) {
  return choose(options.progress, text,
                {{"auto", ProgressChoice::automatic},
                 {"plain", ProgressChoice::plain},
                 {"json", ProgressChoice::json},
                 {"off", ProgressChoice::off}});
}

Status set_format(Options& options, const std::string& text) {
  return choose(
      options.format, text,
      {{"hoa", AutomatonFormat::hoa}, {"never", AutomatonFormat::never}, {"dot", AutomatonFormat::dot}});
}

Status set_clear(Options& options, const std::string&) {
  options.clear = true;
  return {};
}

Status set_help(Options& options, const std::string&) {
  options.help = true;
  return {};
}

constexpr OptionRow::Repeat kOnce = OptionRow::Repeat::replaces, kMany = OptionRow::Repeat::adds;
// The commands that read a model.
constexpr unsigned kAllModels = kCheck | kLibrary | kInfo | kSimulate | kGraph | kStep;

// A language and what it adds to the options.
OptionRow language_row(const Languages& languages) {
  const std::vector<std::string> names = language_names(languages);
  return {"language",
          kAllModels,
          kOnce,
          "--language",
          fmt::format("{}", fmt::join(names, "|")),
          "by the file's extension",
          "the language of the model, if the name of its file does not tell or the model comes from standard "
          "input (-)",
          [names](Options& options, const std::string& text) {
            return choose_word(options.language, text, names);
          }};
}

OptionRow row_of(const LanguageOption& option) {
  const auto set = [option](Options& options, const std::string& text) {
    return choose_word(options.language_options[option.id], text, split_choices(option.values));
  };
  return {option.id, kAllModels, kOnce, option.name, option.values, option.default_value, option.help, set};
}

}  // namespace

std::vector<OptionRow> option_rows_with(const Languages& languages) {
  std::vector<OptionRow> rows = {language_row(languages)};
  for (const Language& language : languages)
    for (const LanguageOption& option : language.options) rows.push_back(row_of(option));
  const OptionRow others[] = {
#define OPTION(id, commands, repeat, name, argument, default_value, help) \
  {#id, commands, repeat, name, argument, default_value, help, set_##id},
#include "options/options.def"
#undef OPTION
  };
  rows.insert(rows.end(), std::begin(others), std::end(others));
  return rows;
}

const std::vector<OptionRow>& option_rows() {
  static const std::vector<OptionRow> rows = option_rows_with(languages());
  return rows;
}

std::string language_words() { return fmt::format("{}", fmt::join(language_names(languages()), ", ")); }

namespace {

// Only `strata check` answers several questions in one run.
Status check_properties(const Options& options) {
  const uint64_t named = options.named_properties();
  if (named + (options.safety ? 1 : 0) < 2 || options.command == kCheck) return {};
  return Status::usage(
      fmt::format("{} properties are named (--ltl, --property, --automaton), but only `strata check` "
                  "takes more than one",
                  named));
}

}  // namespace

Status check_combination(const Options& options) {
  const auto exclude = [](const std::string& names, const char* why) {
    return Status::usage(fmt::format("{} exclude each other: {}", names, why));
  };
  if (!options.keep.empty() && !options.disks.empty())
    return exclude("--keep and --disk", "--keep names the folder of the files");
  if (!options.checkpoint.empty() && !options.keep.empty())
    return exclude("--checkpoint and --keep",
                   "the folder of --checkpoint is removed when the run is complete");
  if (!options.checkpoint.empty() && options.plan)
    return exclude("--checkpoint and --plan", "--plan saves nothing of its search");
  return check_properties(options);
}

}  // namespace strata
