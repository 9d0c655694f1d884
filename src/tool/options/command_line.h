// From argv to Options. A mistake is a usage error whose message names the option, the value, and what would be right.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "options/options.h"

namespace strata {

struct CommandRow {
  Command command;
  const char* name;
  const char* arguments;
  const char* help;
};

const std::vector<CommandRow>& command_rows();

// `arguments` are those after the program's name and the command's.
Result<Options> parse_options(Command command, const std::vector<std::string>& arguments);

// The options of the `check` that began a run, replaced by those of the `resume` where it has them. The folders of
// --disk are those of the resume alone, because the run knows its own; with `same_disks`, those of the check unless the
// resume has some.
Result<Options> merge_options(const std::vector<std::string>& check, const std::vector<std::string>& resume,
                              bool same_disks = false);

// The given options except these, as words of a command line without models.
std::vector<std::string> option_words(const Options& options, const std::vector<std::string>& without);

// The command of that name, or a usage error with a hint.
Result<Command> parse_command(const std::string& name);

// `strata --help` and `strata COMMAND --help`.
std::string general_help();
std::string command_help(Command command);
// An entry of such a help text, with `text` wrapped from column `indent` on.
std::string help_entry(const std::string& head, const std::string& text, size_t indent);

}  // namespace strata
