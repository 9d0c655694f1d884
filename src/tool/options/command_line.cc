#include "tool/options/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lang/language.h"
#include "tool/options/suggestions.h"

namespace strata {
namespace {

const CommandRow& row_of(Command command) {
  return *std::find_if(command_rows().begin(), command_rows().end(),
                       [&](const CommandRow& row) { return row.command == command; });
}

std::vector<const OptionRow*> rows_of(Command command) {
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : option_rows()) {
    if ((row.commands & command) != 0) rows.push_back(&row);
  }
  return rows;
}

Status usage(Command command, const std::string& message) {
  return Status::usage(fmt::format("{}\nTry 'strata {} --help'.", message, row_of(command).name));
}

Status unknown_option(Command command, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  if (name == "--resume") return usage(command, "--resume is a command, not an option: strata resume DIR");
  for (const CommandRow& other : command_rows()) {
    for (const OptionRow* row : rows_of(other.command)) {
      if (name == row->name)
        return usage(command, fmt::format("{} is an option of 'strata {}'", name, other.name));
    }
  }
  if (const std::string hint = cmurphi_hint(argument); !hint.empty())
    return usage(command, fmt::format("unknown option '{}'{}", argument, hint));
  std::vector<std::string> names;
  for (const OptionRow* row : rows_of(command)) names.push_back(row->name);
  const std::string hint = nearest(name, names);
  if (!hint.empty()) {
    return usage(command, fmt::format("unknown option '{}'; did you mean '{}'?", name, hint));
  }
  return usage(command, fmt::format("unknown option '{}'", name));
}

// The words of a command line: the values of each row, the models, and words that are no option.
struct Words {
  std::vector<std::vector<std::string>> values;
  std::vector<std::string> models;
  std::vector<std::string> unknown;
};

// An option that a word names, and the value that is part of the word.
struct NamedOption {
  size_t row;
  std::optional<std::string> value;
};

// "--name", "--name=value", "-N" and "-Nvalue".
std::optional<NamedOption> find_option(const std::vector<const OptionRow*>& rows, const std::string& word) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = rows[i]->name;
    if (word == name) return NamedOption{i, std::nullopt};
    const std::string head = name.starts_with("--") ? name + "=" : name;
    if (word.starts_with(head)) return NamedOption{i, word.substr(head.size())};
  }
  return std::nullopt;
}

// Sorts the words. A value that is a word of its own may begin with a dash; after "--", all words are models.
Result<Words> split(Command command, const std::vector<const OptionRow*>& rows,
                    const std::vector<std::string>& arguments) {
  Words words;
  words.values.resize(rows.size());
  bool options_end = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (options_end || word == "-" || !word.starts_with('-')) {
      words.models.push_back(word);
    } else if (word == "--") {
      options_end = true;
    } else if (const std::optional<NamedOption> named = find_option(rows, word); !named) {
      words.unknown.push_back(word);
    } else {
      const OptionRow& row = *rows[named->row];
      const bool flag = row.is_flag(), has_next = i + 1 < arguments.size();
      if (flag && named->value) return usage(command, fmt::format("{} takes no value", row.name));
      if (!flag && !named->value && !has_next)
        return usage(command, fmt::format("{} needs a value: {} {}", row.name, row.name, row.argument));
      words.values[named->row].push_back(flag ? "" : named->value ? *named->value : arguments[++i]);
    }
  }
  return words;
}

Status set_values(Options& options, const OptionRow& row, const std::vector<std::string>& values) {
  const bool flag = row.is_flag();
  // The last value counts, so that a script can append an option to a command that has it already.
  const bool adds = row.repeat == OptionRow::Repeat::adds;
  const size_t first = adds || flag || values.empty() ? 0 : values.size() - 1;
  for (size_t i = first; i < values.size(); ++i) {
    const Status status = row.set(options, values[i]);
    if (status.ok()) continue;
    if (const std::string hint = cmurphi_hint(row.name + values[i]); !hint.empty())
      return usage(options.command, fmt::format("unknown option '{}{}'{}", row.name, values[i], hint));
    return usage(options.command, fmt::format("{}: {}", row.name, status.message()));
  }
  return {};
}

Status set_formula(Options& options, const std::vector<std::string>& formulas) {
  if (formulas.empty()) return usage(kLtl, "strata ltl needs a formula");
  if (formulas.size() > 1) {
    return usage(kLtl, fmt::format("strata ltl takes one formula, in quotes, not several: '{}' and '{}'",
                                   formulas[0], formulas[1]));
  }
  options.formula = formulas[0];
  return {};
}

Status set_folder(Options& options, const std::vector<std::string>& folders) {
  if (folders.empty()) return usage(kResume, "strata resume needs the folder that --checkpoint named");
  if (folders.size() > 1)
    return usage(kResume, fmt::format("strata resume takes one folder, not several: '{}' and '{}'",
                                      folders[0], folders[1]));
  options.checkpoint = folders[0];
  return {};
}

Status set_suite(Options& options, const std::vector<std::string>& files) {
  if (files.size() != 1) return usage(kSuite, "strata suite needs one file, which lists the models");
  options.suite = files[0];
  return {};
}

Status set_model(Options& options, const std::vector<std::string>& models) {
  const char* name = row_of(options.command).name;
  if (options.command == kSuite) return set_suite(options, models);
  if (options.command == kLtl) return set_formula(options, models);
  if (options.command == kResume) return set_folder(options, models);
  if (options.command == kAlgorithms || options.command == kCache || options.command == kLsp) {
    if (models.empty()) return {};
    return usage(options.command, fmt::format("strata {} takes no file: '{}'", name, models[0]));
  }
  if (options.devices) {
    if (models.empty()) return {};
    return usage(options.command, fmt::format("strata info --devices takes no model: '{}'", models[0]));
  }
  if (models.empty())
    return usage(options.command, fmt::format("strata {} needs a {} file", name,
                                              options.command == kTrace ? "trace" : "model"));
  const bool too_many = options.command == kTrace ? models.size() > 2 : models.size() > 1;
  if (too_many && options.command != kCheck) {
    return usage(
        options.command,
        options.command == kTrace
            ? fmt::format("strata trace takes a trace and perhaps its model, not also '{}'", models[2])
            : fmt::format("strata {} takes one model, not several: '{}' and '{}'", name, models[0],
                          models[1]));
  }
  options.models = models;
  options.model = models[0];
  return {};
}

Status check_standard_input(const Options& options) {
  if (!options.reads_stdin()) return {};
  if (options.language.empty())
    return usage(options.command,
                 "a model from standard input has no file name: name its language with --language");
  if (!options.checkpoint.empty())
    return usage(options.command,
                 "--checkpoint needs a model in a file, because `strata resume` reads the model again");
  return {};
}

// Refuses options that need a single model.
Status check_several(const Options& options) {
  if (options.models.size() < 2 || options.command == kTrace) return {};
  const std::pair<bool, const char*> alone[] = {{!options.checkpoint.empty(), "--checkpoint"},
                                                {!options.keep.empty(), "--keep"},
                                                {!options.trace_file.empty(), "--trace-file"},
                                                {!options.report.empty(), "--report"}};
  for (const auto& [given, name] : alone)
    if (given)
      return usage(options.command,
                   fmt::format("{} works with one model, not with {}", name, options.models.size()));
  if (std::count(options.models.begin(), options.models.end(), "-") > 0)
    return usage(options.command, "a model from standard input cannot be checked together with others");
  return {};
}

// The checks that need several options.
Status check_together(const Options& options) {
  if (Status status = check_several(options); !status.ok()) return status;
  if (Status status = check_standard_input(options); !status.ok()) return status;
  const Status status = check_combination(options);
  return status.ok() ? status : usage(options.command, status.message());
}

// Fills lines of at most 100 columns, continued at column `indent`.
std::string wrapped(const std::string& text, size_t indent) {
  constexpr size_t kWidth = 100;
  std::string out;
  size_t column = indent;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (column + 1 + (end - begin) > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (begin > 0) {
      out += ' ';
      ++column;
    }
    out += text.substr(begin, end - begin);
    column += end - begin;
    begin = end + 1;
  }
  return out;
}

std::string help_line(const OptionRow& row, bool with_default) {
  const std::string head = row.is_flag() ? row.name : fmt::format("{} {}", row.name, row.argument);
  const std::string default_value =
      *row.default_value == '\0' || !with_default ? "" : fmt::format(" (default: {})", row.default_value);
  return help_entry(head, row.help + default_value, 36);
}

}  // namespace

const std::vector<CommandRow>& command_rows() {
  static const std::vector<CommandRow> rows = {
      {kCheck, "check", "MODEL... [OPTIONS]", "search the states of a model, or of several, for errors"},
      {kResume, "resume", "DIR [OPTIONS]", "continue a search that --checkpoint saved"},
      {kInfo, "info", "MODEL [OPTIONS]", "show the parts of a model, or the GPUs of this machine"},
      {kSimulate, "simulate", "MODEL [OPTIONS]", "walk through a model at random"},
      {kStep, "step", "MODEL [OPTIONS]", "walk through a model by hand, and ask about its states"},
      {kLsp, "lsp", "[OPTIONS]", "serve editors: the language server protocol on standard input and output"},
      {kGraph, "graph", "MODEL -o FILE [OPTIONS]",
       "write the states, and the rules between them, as a graph"},
      {kSuite, "suite", "FILE [OPTIONS]", "check several models and compare the results with expectations"},
      {kTrace, "trace", "FILE [MODEL] [OPTIONS]", "show a saved trace (ITF format), and ask about its steps"},
      {kMurphi, "murphi", "[OPTIONS] MODEL", "check a Murphi model with CMurphi's options and output"},
      {kLtl, "ltl", "FORMULA [OPTIONS]", "translate an LTL formula to a Büchi automaton"},
      {kAlgorithms, "algorithms", "[OPTIONS]", "list the algorithms of `check` and their parameters"},
      {kCache, "cache", "[OPTIONS]", "show the folder of compiled models, or clear it"},
  };
  return rows;
}

Result<Command> parse_command(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandRow& row : command_rows()) {
    if (name == row.name) return row.command;
    names.push_back(row.name);
  }
  const bool file = name.find('.') != std::string::npos || name.find('/') != std::string::npos;
  const std::string hint = file ? "check " + name : nearest(name, names);
  const std::string question = hint.empty() ? "" : fmt::format("; did you mean 'strata {}'?", hint);
  return Status::usage(fmt::format("unknown command '{}'{}\nTry 'strata --help'.", name, question));
}

Result<Options> parse_options(Command command, const std::vector<std::string>& arguments) {
  const std::vector<const OptionRow*> rows = rows_of(command);
  const Result<Words> words = split(command, rows, arguments);
  if (!words.ok()) return words.status();
  Options options;
  options.command = command;
  options.arguments = arguments;
  if (!words->unknown.empty()) return unknown_option(command, words->unknown.front());
  for (size_t i = 0; i < rows.size(); ++i) {
    const Status status = set_values(options, *rows[i], words->values[i]);
    if (!status.ok()) return status;
  }
  if (options.help) return options;
  if (Status status = set_model(options, words->models); !status.ok()) return status;
  if (Status status = check_together(options); !status.ok()) return status;
  return options;
}

Result<Options> merge_options(const std::vector<std::string>& check, const std::vector<std::string>& resume,
                              bool same_disks) {
  const std::vector<const OptionRow*> old_rows = rows_of(kCheck), new_rows = rows_of(kResume);
  const Result<Words> before = split(kCheck, old_rows, check), now = split(kResume, new_rows, resume);
  if (!before.ok()) return before.status();
  if (!now.ok()) return now.status();
  Options options;
  options.arguments = check;
  const auto given = [&](const OptionRow* row) {
    const auto place = std::find(new_rows.begin(), new_rows.end(), row);
    return place == new_rows.end() ? std::vector<std::string>() : now->values[place - new_rows.begin()];
  };
  options.command = kCheck;
  for (size_t i = 0; i < old_rows.size(); ++i) {
    const bool dropped = old_rows[i]->name == std::string("--disk") && !same_disks;
    if (!given(old_rows[i]).empty() || dropped) continue;
    if (Status status = set_values(options, *old_rows[i], before->values[i]); !status.ok()) return status;
  }
  if (Status status = set_model(options, before->models); !status.ok()) return status;
  options.command = kResume;
  for (const OptionRow* row : new_rows)
    if (Status status = set_values(options, *row, given(row)); !status.ok()) return status;
  if (Status status = set_model(options, now->models); !status.ok()) return status;
  options.command = kCheck;
  options.resumes = true;
  return options;
}

std::vector<std::string> option_words(const Options& options, const std::vector<std::string>& without) {
  const std::vector<const OptionRow*> rows = rows_of(options.command);
  const Result<Words> words = split(options.command, rows, options.arguments);
  std::vector<std::string> out;
  for (size_t i = 0; words.ok() && i < rows.size(); ++i) {
    const std::string name = rows[i]->name;
    if (std::count(without.begin(), without.end(), name) > 0) continue;
    for (const std::string& value : words->values[i]) {
      out.push_back(name);
      if (rows[i]->is_flag()) continue;
      // A value may begin with a dash.
      if (name.starts_with("--"))
        out.back() += "=" + value;
      else
        out.back() += value;
    }
  }
  return out;
}

std::string help_entry(const std::string& head, const std::string& text, size_t indent) {
  return fmt::format("  {:<{}}{}\n", head, indent - 2, wrapped(text, indent));
}

std::string general_help() {
  std::string out =
      wrapped("Strata, an explicit-state model checker. MODEL is a file in one of the languages " +
                  language_files(languages()) + ", a shared object (.so), or - for standard input.",
              0) +
      "\n\n";
  for (const CommandRow& row : command_rows()) {
    out += fmt::format("  {:<40}{}\n", fmt::format("strata {} {}", row.name, row.arguments), row.help);
  }
  out += fmt::format("  {:<40}{}\n", "strata COMMAND --help", "list the options of a command");
  out += fmt::format("  {:<40}{}\n", "strata --version", "print the version, and what this build can do");
  out += fmt::format("  {:<40}{}\n", "strata --man [COMMAND]", "print a manual page, for man -l -");
  out += fmt::format("  {:<40}{}\n", "strata --completion bash|zsh|fish", "print a completion for the shell");
  out += "\nExample: strata check model.m -D N=4 --json result.json\n";
  out += "Exit codes, files and environment: strata --man | man -l -   (installed: man strata)\n";
  return out;
}

std::string command_help(Command command) {
  const CommandRow& row = row_of(command);
  std::string out = fmt::format("strata {} {}: {}\n\n", row.name, row.arguments, row.help);
  // The defaults of a resumed run are the values of its original command.
  const bool resumes = command == kResume;
  if (resumes) out += "Options not given here keep the values of the original command.\n\n";
  for (const OptionRow* option : rows_of(command)) out += help_line(*option, !resumes);
  return out;
}

}  // namespace strata
