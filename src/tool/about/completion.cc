#include "tool/about/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "liveness/cycle_algorithms.h"
#include "tool/murphi/murphi_options.h"
#include "tool/options/command_line.h"

namespace strata {
namespace {

// An option of a command, from any of the tables.
struct Choice {
  std::string name;
  std::string help;
  bool takes_value = false;
  std::vector<std::string> values;  // empty: any
  bool folder = false, file = false;
};

// The words of "diff|full|off"; none if the text is a placeholder.
std::vector<std::string> words_of(const std::string& argument) {
  std::vector<std::string> words;
  if (argument.find('|') == std::string::npos) return words;
  for (size_t begin = 0; begin <= argument.size();) {
    const size_t end = std::min(argument.find('|', begin), argument.size());
    // Completes "signatures[:BITS]" to "signatures", because the user chooses BITS.
    std::string word = argument.substr(begin, end - begin);
    words.push_back(word.substr(0, word.find('[')));
    begin = end + 1;
  }
  return words;
}

Choice choice_of(const std::string& name, const std::string& argument, const std::string& help) {
  Choice choice{name,
                help,
                !argument.empty() && argument[0] != '[',
                words_of(argument),
                argument == "DIR",
                argument.starts_with("FILE")};
  if (name == "--algorithm")
    for (const Algorithm& row : all_algorithms()) choice.values.emplace_back(row.name);
  return choice;
}

std::vector<Choice> choices_of(Command command) {
  std::vector<Choice> choices;
  if (command == kMurphi) {
    for (const MurphiRow& row : murphi_rows()) choices.push_back(choice_of(row.name, row.argument, row.help));
    return choices;
  }
  for (const OptionRow& row : option_rows())
    if ((row.commands & command) != 0) choices.push_back(choice_of(row.name, row.argument, row.help));
  return choices;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : command_rows()) names.emplace_back(row.name);
  return names;
}

// Within quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + out + "'";
}

std::string bash_values(const Choice& choice) {
  if (!choice.values.empty())
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", joined(choice.values));
  if (choice.folder) return "COMPREPLY=($(compgen -d -- \"$word\"))";
  if (choice.file) return "COMPREPLY=($(compgen -f -- \"$word\"))";
  return "COMPREPLY=()";
}

std::string bash_command(const CommandRow& row) {
  std::string cases;
  std::vector<std::string> names;
  for (const Choice& choice : choices_of(row.command)) {
    names.push_back(choice.name);
    if (choice.takes_value)
      cases += fmt::format("        {}) {}; return ;;\n", choice.name, bash_values(choice));
  }
  return fmt::format(
      "    {})\n      case $before in\n{}      esac\n"
      "      [[ $word != -* ]] || {{ COMPREPLY=($(compgen -W '{}' -- \"$word\")); return; }} ;;\n",
      row.name, cases, joined(names));
}

std::string bash() {
  std::string out = fmt::format(
      "# Completion of strata for bash, made by `strata --completion bash`.\n"
      "_strata() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} "
      "command=${{COMP_WORDS[1]-}}\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version --man --completion' -- \"$word\"))\n    return\n  "
      "fi\n"
      "  case $command in\n"
      "    --completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")); return ;;\n"
      "    --man|help) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
      joined(command_names()), joined(command_names()));
  for (const CommandRow& row : command_rows()) out += bash_command(row);
  return out +
         "  esac\n  COMPREPLY=($(compgen -f -- \"$word\"))\n}\n"
         "complete -o filenames -F _strata strata\n";
}

// In a description within [] of _arguments.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_option(const Choice& choice) {
  const std::string action = !choice.values.empty() ? fmt::format("({})", joined(choice.values))
                             : choice.folder        ? "_files -/"
                                                    : "_files";
  return "          " +
         in_quotes(fmt::format("*{}{}[{}]{}", choice.name,
                               choice.takes_value && choice.name.starts_with("--") ? "=" : "",
                               zsh_text(choice.help), choice.takes_value ? ":value:" + action : "")) +
         " \\\n";
}

std::string zsh() {
  std::string commands, cases;
  for (const CommandRow& row : command_rows()) {
    commands += "    " + in_quotes(fmt::format("{}:{}", row.name, row.help)) + "\n";
    cases += fmt::format("    {})\n        _arguments \\\n", row.name);
    for (const Choice& choice : choices_of(row.command)) cases += zsh_option(choice);
    cases += "          '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef strata\n# Completion of strata for zsh, made by `strata --completion zsh`.\n"
      "_strata() {{\n  local -a commands\n  commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n{}  esac\n}}\n"
      "_strata \"$@\"\n",
      commands, cases);
}

std::string fish_option(const char* command, const Choice& choice) {
  const bool dashes = choice.name.starts_with("--");
  const std::string name = choice.name.substr(dashes ? 2 : 1);
  const char* kind = dashes ? "-l" : name.size() == 1 ? "-s" : "-o";
  std::string out = fmt::format("complete -c strata -n '__fish_seen_subcommand_from {}' {} {} -d {}", command,
                                kind, name, in_quotes(choice.help));
  if (!choice.values.empty()) return out + fmt::format(" -x -a '{}'\n", joined(choice.values));
  return out + (choice.takes_value ? " -r\n" : "\n");
}

std::string fish() {
  const std::string names = joined(command_names());
  std::string out = "# Completion of strata for fish, made by `strata --completion fish`.\n";
  for (const CommandRow& row : command_rows()) {
    out += fmt::format("complete -c strata -f -n 'not __fish_seen_subcommand_from {}' -a {} -d {}\n", names,
                       row.name, in_quotes(row.help));
    for (const Choice& choice : choices_of(row.command)) out += fish_option(row.name, choice);
  }
  return out;
}

}  // namespace

Result<std::string> completion(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  return Status::usage(fmt::format("--completion: '{}' is not one of bash, zsh, fish", shell));
}

}  // namespace strata
