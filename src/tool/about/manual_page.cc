#include "tool/about/manual_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "liveness/cycle_algorithms.h"
#include "tool/murphi/murphi_options.h"
#include "tool/options/command_line.h"

namespace strata {
namespace {

// Converts a text for man(7): escapes dashes and requests at the beginning of a line, and sets `words` in bold.
std::string roff(const std::string& text) {
  std::string out;
  bool bold = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_line = out.empty() || out.back() == '\n';
    if (c == '`') {
      out += std::exchange(bold, !bold) ? "\\fR" : "\\fB";
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && begins_line) {
      out += std::string("\\&") + c;
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
  }
  return bold ? out + "\\fR" : out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// An entry of a list: words that the user types in bold, placeholders in italics.
std::string entry(const std::string& name, const std::string& argument, const std::string& text) {
  const std::string value = argument.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(argument));
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(name), value, roff(text));
}

std::string option_entry(const OptionRow& row) {
  const std::string default_value =
      *row.default_value == '\0' ? "" : fmt::format(" (default: {})", row.default_value);
  return entry(row.name, row.argument, std::string(row.help) + default_value);
}

std::string head(const std::string& name, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"Strata {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(name),
                     STRATA_VERSION, roff(name), roff(summary));
}

std::string algorithms_section() {
  std::string out =
      ".SH ALGORITHMS\nThe values of\n.BR \\-\\-algorithm ,\nwith the parameters that\n.B "
      "\\-\\-set\ntakes:\n";
  for (const Algorithm& row : all_algorithms()) {
    std::string parameters;
    for (const AlgorithmParameter& parameter : row.parameters) {
      if (parameter.experiment) continue;
      parameters +=
          fmt::format("{}{}={}", parameters.empty() ? "" : " ", parameter.name, parameter.default_value);
    }
    out += entry(row.name, parameters, fmt::format("{} ({})", row.summary, row.source));
  }
  return out;
}

constexpr const char* kExitCodes = R"(.SH EXIT STATUS
.TP
.B 0
the property holds, or the command did what it was asked to
.TP
.B 11
a deadlock was found
.TP
.B 12
an invariant is violated, or a cover was missed
.TP
.B 13
a formula or a liveness property is violated
.TP
.B 14
an assertion failed, or an error statement was reached
.TP
.B 75
a run\-time error in the model
.TP
.B 130
interrupted
.TP
.B 150
the model does not parse or type\-check
.TP
.B 151
bad usage
.TP
.B 152
a limit was reached: the result is incomplete
.TP
.B 153
a system error
)";

constexpr const char* kEnvironment = R"(.SH ENVIRONMENT
.TP
.B CXX
the compiler for models, perhaps with arguments; otherwise \fBc++\fR
.TP
.B XDG_CACHE_HOME
compiled models are kept in its folder \fIstrata\fR; otherwise in \fI~/.cache/strata\fR
.TP
.B TMPDIR
where the files of a search on disk go without \fB\-\-disk\fR; otherwise \fI/var/tmp\fR
.TP
.B NO_COLOR
no colours, when it is set and not empty
)";

std::string see_also(Command command) {
  std::string out = ".SH SEE ALSO\n";
  std::vector<std::string> pages;
  if (command != kNoCommand) pages.emplace_back("strata");
  for (const CommandRow& row : command_rows())
    if (row.command != command) pages.push_back(std::string("strata-") + row.name);
  std::sort(pages.begin(), pages.end());
  for (size_t i = 0; i < pages.size(); ++i)
    out += fmt::format(".BR {} (1){}\n", roff(pages[i]), i + 1 == pages.size() ? "" : ",");
  return out +
         ".PP\nThe manual, with the languages and the formats of reports, is installed as "
         "\\fImanual.md\\fR.\n";
}

std::string main_page() {
  std::string out = head("strata", "explicit-state model checker");
  out += ".SH SYNOPSIS\n";
  for (const CommandRow& row : command_rows())
    out += fmt::format("{}\\fBstrata {}\\fR {}\n", &row == &command_rows().front() ? "" : ".br\n",
                       roff(row.name), roff(row.arguments));
  out += ".br\n\\fBstrata \\-\\-help\\fR\n.br\n\\fBstrata \\-\\-version\\fR\n";
  out +=
      ".SH DESCRIPTION\nStrata visits every state that a model can reach and reports what is wrong: violated "
      "invariants,\n"
      "deadlocks, failed assertions, run\\-time errors, and paths that violate a formula of linear temporal "
      "logic,\n"
      "each with a counterexample that was replayed before it is printed. A search that outgrows its memory\n"
      "continues on disk. Models are compiled with a C++ compiler, and kept.\n";
  out += ".SH COMMANDS\n";
  for (const CommandRow& row : command_rows())
    out += entry(std::string("strata ") + row.name, row.arguments,
                 fmt::format("{}; see strata-{}(1)", row.help, row.name));
  out += entry("strata --man", "[COMMAND]", "print a manual page");
  out += entry("strata --completion", "bash|zsh|fish", "print a completion for the shell");
  out += std::string(kExitCodes) + kEnvironment;
  out +=
      ".SH EXAMPLES\n.nf\nstrata check peterson.m \\-D N=4 \\-\\-json report.json\nstrata check dining.dve "
      "\\-\\-ltl "
      "\\(aqG F Phil_0.eating\\(aq\n.fi\n";
  return out + see_also(kNoCommand);
}

}  // namespace

std::string manual_page(Command command) {
  if (command == kNoCommand) return main_page();
  const CommandRow& row = *std::find_if(command_rows().begin(), command_rows().end(),
                                        [&](const CommandRow& other) { return other.command == command; });
  std::string out = head(std::string("strata-") + row.name, row.help);
  out +=
      fmt::format(".SH SYNOPSIS\n\\fBstrata {}\\fR {}\n.SH OPTIONS\n", roff(row.name), roff(row.arguments));
  if (command == kMurphi) {
    for (const MurphiRow& option : murphi_rows()) out += entry(option.name, option.argument, option.help);
    out +=
        "Options of \\fBstrata check\\fR that begin with two dashes work too.\n"
        ".SH EXIT STATUS\n0 no error found; 1 an error was found, the search is incomplete, or the model or "
        "an option is\n"
        "wrong; 130 interrupted; 153 system error.\n";
    return out + see_also(command);
  }
  for (const OptionRow& option : option_rows())
    if ((option.commands & command) != 0) out += option_entry(option);
  if (command == kCheck || command == kAlgorithms) out += algorithms_section();
  if (command == kSuite)
    out +=
        ".SH EXIT STATUS\n0 when every run was as expected, 1 otherwise; 130, 151 and 153 as for\n.BR strata "
        "(1).\n";
  else
    out += ".SH EXIT STATUS\nSee\n.BR strata (1).\n";
  return out + see_also(command);
}

}  // namespace strata
