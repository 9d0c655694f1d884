// From argv to Options. Everything a user can get wrong here is a usage error whose message names the option, the
// value, and what would be right.
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

// The options of a `check` that began a run, with those of a `resume` in their place where it has them. The
// folders of --disk are those of the resume alone, as the run knows its own; or, `same_disks`, those of the
// check unless the resume has some.
Result<Options> merge_options(const std::vector<std::string>& check, const std::vector<std::string>& resume,
                              bool same_disks = false);

// The options that were given, but these, as words of a command line without its models.
std::vector<std::string> option_words(const Options& options, const std::vector<std::string>& without);

// The command of that name, or a usage error with a hint.
Result<Command> parse_command(const std::string& name);

// `strata --help` and `strata COMMAND --help`.
std::string general_help();
std::string command_help(Command command);
// A line of such a text, with what `text` says from column `indent` on, wrapped.
std::string help_entry(const std::string& head, const std::string& text, size_t indent);

}  // namespace strata
