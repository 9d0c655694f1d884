#include "tool/murphi/murphi_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "base/text/is_number.h"
#include "options/options.h"
#include "tool/options/command_line.h"

namespace strata {
namespace {

struct Row;

// What an option does; `value` is empty if it has none.
using Apply = Status (*)(const Row& row, MurphiOptions& options, const std::string& value);

// One row an option. One with a number takes "-m1024" and "-m 1024", one with a word "-dDIR" and "-d DIR".
struct Row : MurphiRow {
  Apply apply;
  const char* detail = "";              // as the function at `apply` says
  bool MurphiOptions::*flag = nullptr;  // set by the option

  bool has_argument() const { return *argument != '\0'; }
  bool may_lack_argument() const { return *argument == '['; }
  bool takes_number() const { return *argument == '[' || std::string(argument) == "N"; }
};

void add(MurphiOptions& options, std::initializer_list<std::string> words) {
  options.strata.insert(options.strata.end(), words);
}

void ignore(MurphiOptions& options, const std::string& what) { options.notes.push_back(what); }

// Adds the flag alone.
Status only_flag(const Row&, MurphiOptions&, const std::string&) { return {}; }

// `detail` is a note for the user.
Status tell(const Row& row, MurphiOptions& options, const std::string&) {
  ignore(options, row.detail);
  return {};
}

// `detail` has the options of Strata, with % for the value.
Status pass(const Row& row, MurphiOptions& options, const std::string& value) {
  std::istringstream words(row.detail);
  for (std::string word; words >> word;) {
    if (const size_t place = word.find('%'); place != std::string::npos) word.replace(place, 1, value);
    add(options, {word});
  }
  return {};
}

Status pass_if_given(const Row& row, MurphiOptions& options, const std::string& value) {
  return value.empty() ? Status() : pass(row, options, value);
}

// This comes before Strata's other options, so that -b may choose other signatures.
Status pass_first(const Row& row, MurphiOptions& options, const std::string& value) {
  std::vector<std::string> others = std::exchange(options.strata, {});
  const Status status = pass(row, options, value);
  options.strata.insert(options.strata.end(), others.begin(), others.end());
  return status;
}

// `detail` is the unit of the number, M or K.
Status set_memory(const Row& row, MurphiOptions& options, const std::string& number) {
  uint64_t size = 0;
  for (const char digit : number) {
    if (size > uint64_t{1} << 40) return Status::usage(fmt::format("{}: {} is too much", row.name, number));
    size = 10 * size + static_cast<uint64_t>(digit - '0');
  }
  const uint64_t bytes = size << (*row.detail == 'M' ? 20 : 10);
  if (bytes < kLeastMemory) {
    ignore(options,
           fmt::format("{} {}: a search gets at least {} MiB", row.name, number, kLeastMemory >> 20));
    add(options, {"--memory", "16M"});
    return {};
  }
  add(options, {"--memory", number + row.detail});
  return {};
}

Status set_symmetry(const Row&, MurphiOptions& options, const std::string& number) {
  if (number.size() > 1 || (!number.empty() && (number < "1" || number > "4")))
    return Status::usage(fmt::format("-sym{}: there are the symmetry algorithms 1 to 4", number));
  add(options, {"--symmetry", "exact"});
  return {};
}

// `detail` is the number of states between two lines of progress.
Status set_progress(const Row& row, MurphiOptions& options, const std::string&) {
  options.progress_every = std::strtoull(row.detail, nullptr, 10);
  return {};
}

// `detail` is a value of --trace.
Status set_trace(const Row& row, MurphiOptions& options, const std::string&) {
  options.traces = std::string(row.detail) != "off";
  add(options, {"--trace", row.detail});
  return {};
}

Status set_trace_unless_chosen(const Row& row, MurphiOptions& options, const std::string& value) {
  return options.traces ? Status() : set_trace(row, options, value);
}

Status tell_and_trace(const Row& row, MurphiOptions& options, const std::string& value) {
  ignore(options, "-ta: the trace of an error is printed, not all states");
  return set_trace(row, options, value);
}

Status set_emit(const Row&, MurphiOptions& options, const std::string& folder) {
  options.emit = folder;
  return folder.empty() ? Status::usage("--emit: the name of the folder is empty") : Status();
}

Status set_name(const Row&, MurphiOptions& options, const std::string& name) {
  options.name = name;
  return {};
}

constexpr Row kRows[] = {
    {{"-h", "", "print this text"}, only_flag, "", &MurphiOptions::help},
    {{"-l", "", "print the licence"}, only_flag, "", &MurphiOptions::licence},
    {{"-s", "", "simulate, as `strata simulate` does, until an error or a signal"},
     only_flag,
     "",
     &MurphiOptions::simulates},
    {{"-v", "", "verify, breadth first; the default"}, only_flag},
    {{"-vbfs", "", "the same"}, only_flag},
    {{"-vdfs", "", "ignored: the search is breadth-first"}, tell, "-vdfs: the search is breadth-first"},
    {{"-ndl", "", "--deadlock off"}, pass, "--deadlock off"},
    {{"-m", "N", "--memory NM; a search that needs more continues on disk"}, set_memory, "M"},
    {{"-k", "N", "--memory NK"}, set_memory, "K"},
    {{"-loop", "N", "ignored: the limit of loops is fixed"},
     tell,
     "-loop: a while loop of more than 1000 rounds is a run-time error"},
    {{"-p", "", "ignored: Strata has no verbose search"},
     tell,
     "-p: there is no verbose search; `strata simulate` shows states"},
    {{"-p1", "", "progress every 10 states; -p2 to -p5: every 100 to 100000"}, set_progress, "10"},
    {{"-p2", "", ""}, set_progress, "100"},
    {{"-p3", "", ""}, set_progress, "1000"},
    {{"-p4", "", ""}, set_progress, "10000"},
    {{"-p5", "", ""}, set_progress, "100000"},
    {{"-pn", "", "no progress"}, set_progress, "0"},
    {{"-pr", "", "print how often each rule fired"}, only_flag, "", &MurphiOptions::rules},
    {{"-tv", "", "print the trace of an error, with the changes of each step"},
     set_trace_unless_chosen,
     "diff"},
    {{"-td", "", "the same"}, set_trace, "diff"},
    {{"-tf", "", "print the trace of an error, with whole states"}, set_trace, "full"},
    {{"-ta", "", "as -tv: not all states are printed"}, tell_and_trace, "diff"},
    {{"-tn", "", "print no trace; the default"}, set_trace, "off"},
    {{"-nosym", "", "--symmetry off"}, pass, "--symmetry off"},
    {{"-sym", "[N]", "--symmetry exact, whatever the number, 1 to 4"}, set_symmetry},
    {{"-nomultiset", "", "ignored: multisets are sorted"}, tell, "-nomultiset: multisets are always sorted"},
    {{"-permlimit", "N", "ignored: see -sym"}, tell, "-permlimit: every symmetry algorithm here is exact"},
    {{"-finderrors", "", "--max-errors 100"}, pass, "--max-errors 100"},
    {{"-errorsmax", "N", "--max-errors N"}, pass, "--max-errors %"},
    {{"-b", "[N]", "without a number ignored: states are always packed; with a number: --store signatures:N"},
     pass_if_given,
     "--store signatures:%"},
    {{"-c", "", "hash compaction: --store signatures:40"},
     pass_first,
     "--store signatures:40",
     &MurphiOptions::hash_compaction},
    {{"-d", "DIR", "--disk DIR"}, pass, "--disk %"},
    {{"-o", "", "ignored"}, tell, "-o is ignored"},
    {{"--emit", "DIR",
      "without a model: write DIR/src/mu and DIR/include, which replace CMurphi's; with models: write a "
      "program "
      "DIR/NAME for each, which takes these options"},
     set_emit},
    {{"--mu", "",
      "act as CMurphi's compiler: write MODEL.cpp; any C++ compiler makes it a program that takes these "
      "options"},
     only_flag,
     "",
     &MurphiOptions::mu},
    {{"--name", "NAME", "the name of a model from standard input (-)"}, set_name},
    {{"--help", "", "print this text"}, only_flag, "", &MurphiOptions::help},
};

// The row whose option the word names. A value may follow the option in the same word.
const Row* find_row(const std::string& word, std::string& value) {
  value.clear();
  for (const Row& row : kRows)
    if (word == row.name) return &row;
  for (const Row& row : kRows) {
    const std::string name = row.name;
    if (!row.has_argument() || !word.starts_with(name)) continue;
    const bool dashes = name.starts_with("--");
    if (dashes && word[name.size()] != '=') continue;
    value = word.substr(name.size() + (dashes ? 1 : 0));
    if (!row.takes_number() || is_number(value)) return &row;
  }
  return nullptr;
}

Status apply(const Row& row, MurphiOptions& options, const std::string& value) {
  if (row.flag != nullptr) options.*row.flag = true;
  return row.apply(row, options, value);
}

// Options of Strata that take a value have it in the next word, unless it follows a sign of equality.
bool takes_next_word(const std::string& word) {
  if (word.find('=') != std::string::npos) return false;
  return std::any_of(option_rows().begin(), option_rows().end(),
                     [&](const OptionRow& row) { return word == row.name && !row.is_flag(); });
}

}  // namespace

Result<MurphiOptions> parse_murphi(const std::vector<std::string>& arguments) {
  constexpr const char* kTry = "\nTry 'strata murphi --help'.";
  MurphiOptions options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-" || !word.starts_with('-')) {
      options.models.push_back(word);
      continue;
    }
    std::string value;
    const Row* row = find_row(word, value);
    if (row == nullptr) {
      const bool strata_option = word.starts_with("--") || word.starts_with("-D");
      if (!strata_option) return Status::usage(fmt::format("unknown option '{}' of CMurphi{}", word, kTry));
      options.strata.push_back(word);
      if (takes_next_word(word) && i + 1 < arguments.size()) options.strata.push_back(arguments[++i]);
      continue;
    }
    const bool wants = row->has_argument() && word == row->name;
    const bool has_next = i + 1 < arguments.size();
    const bool fits = has_next && (!row->takes_number() || is_number(arguments[i + 1]));
    // -b and -sym may lack a number: the next word may be the model.
    if (wants && !fits && !row->may_lack_argument())
      return Status::usage(
          fmt::format("{} needs {}{}", row->name, row->takes_number() ? "a number" : "a value", kTry));
    if (wants && fits) value = arguments[++i];
    if (Status status = apply(*row, options, value); !status.ok())
      return Status::usage(status.message() + kTry);
  }
  return options;
}

std::vector<MurphiRow> murphi_rows() {
  std::vector<MurphiRow> told;
  for (const Row& row : kRows)
    if (*row.help != '\0') told.push_back(row);
  return told;
}

std::string murphi_help() {
  std::string out =
      "strata murphi [OPTIONS] MODEL: check a Murphi model with CMurphi's options and output\n\n"
      "Exit codes: 0 no error found; 1 an error was found, the search is incomplete, or the model or an\n"
      "option is wrong; 130 interrupted; 153 system error. Options of `strata check` that begin with two\n"
      "dashes work too.\n\n";
  for (const Row& row : kRows) {
    if (*row.help == '\0') continue;
    const char* blank = row.has_argument() && !row.may_lack_argument() ? " " : "";
    out += help_entry(fmt::format("{}{}{}", row.name, blank, row.argument), row.help, 20);
  }
  return out;
}

}  // namespace strata
