#include "tool/murphi/murphi_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "options/options.h"
#include "tool/options/command_line.h"

namespace strata {
namespace {

// One row an option. One with a number takes "-m1024" and "-m 1024", one with a word "-dDIR" and "-d DIR".
struct Row : MurphiRow {
  // What it does; the text is empty where there is no value.
  Status (*apply)(MurphiOptions& options, const std::string& text);

  bool has_argument() const { return *argument != '\0'; }
  bool may_lack_argument() const { return *argument == '['; }
  bool takes_number() const { return *argument == '[' || std::string(argument) == "N"; }
};

void add(MurphiOptions& options, std::initializer_list<std::string> words) {
  options.strata.insert(options.strata.end(), words);
}

void ignore(MurphiOptions& options, const std::string& what) { options.notes.push_back(what); }

Status set_memory(MurphiOptions& options, const std::string& number, const char* unit, const char* name) {
  uint64_t size = 0;
  for (const char digit : number) {
    if (size > uint64_t{1} << 40) return Status::usage(fmt::format("{}: {} is too much", name, number));
    size = 10 * size + static_cast<uint64_t>(digit - '0');
  }
  const uint64_t bytes = size << (*unit == 'M' ? 20 : 10);
  if (bytes < kLeastMemory) {
    ignore(options, fmt::format("{} {}: a search gets at least {} MiB", name, number, kLeastMemory >> 20));
    add(options, {"--memory", "16M"});
    return {};
  }
  add(options, {"--memory", number + unit});
  return {};
}

Status set_symmetry(MurphiOptions& options, const std::string& number) {
  if (number.empty() || number == "1" || number == "2" || number == "3")
    add(options, {"--symmetry", "exact"});
  else if (number == "4")
    add(options, {"--symmetry", "heuristic"});
  else
    return Status::usage(fmt::format("-sym{}: there are the symmetry algorithms 1 to 4", number));
  return {};
}

Status set_progress(MurphiOptions& options, const std::string& digit) {
  options.progress_every = 1;
  for (char n = '0'; n < digit[0]; ++n) options.progress_every *= 10;
  return {};
}

Status set_trace(MurphiOptions& options, const char* mode) {
  options.traces = std::string(mode) != "off";
  add(options, {"--trace", mode});
  return {};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"-h", "", "print this text",
       [](MurphiOptions& o, const std::string&) {
         o.help = true;
         return Status();
       }},
      {"-l", "", "print the licence",
       [](MurphiOptions& o, const std::string&) {
         o.licence = true;
         return Status();
       }},
      {"-s", "", "simulate: `strata simulate`, until there is an error or a signal",
       [](MurphiOptions& o, const std::string&) {
         o.simulates = true;
         return Status();
       }},
      {"-v", "", "verify, breadth-first; so it does anyway",
       [](MurphiOptions&, const std::string&) { return Status(); }},
      {"-vbfs", "", "the same", [](MurphiOptions&, const std::string&) { return Status(); }},
      {"-vdfs", "", "ignored: the search is breadth-first",
       [](MurphiOptions& o, const std::string&) {
         ignore(o, "-vdfs: the search is breadth-first");
         return Status();
       }},
      {"-ndl", "", "--deadlock off",
       [](MurphiOptions& o, const std::string&) {
         add(o, {"--deadlock", "off"});
         return Status();
       }},
      {"-m", "N", "--memory NM; a search that needs more goes on on disk",
       [](MurphiOptions& o, const std::string& n) { return set_memory(o, n, "M", "-m"); }},
      {"-k", "N", "--memory NK",
       [](MurphiOptions& o, const std::string& n) { return set_memory(o, n, "K", "-k"); }},
      {"-loop", "N", "ignored: loops have a limit of their own",
       [](MurphiOptions& o, const std::string&) {
         ignore(o, "-loop: a while loop may run as often as doc/manual.md says");
         return Status();
       }},
      {"-p", "", "ignored: there is no verbose search",
       [](MurphiOptions& o, const std::string&) {
         ignore(o, "-p: there is no verbose search; `strata simulate` shows states");
         return Status();
       }},
      {"-p1", "", "progress every 10 states; so -p2 to -p5 for 100 to 100000", nullptr},
      {"-p2", "", "", nullptr},
      {"-p3", "", "", nullptr},
      {"-p4", "", "", nullptr},
      {"-p5", "", "", nullptr},
      {"-pn", "", "no progress",
       [](MurphiOptions& o, const std::string&) {
         o.progress_every = 0;
         return Status();
       }},
      {"-pr", "", "say how often each rule was fired",
       [](MurphiOptions& o, const std::string&) {
         o.rules = true;
         return Status();
       }},
      {"-tv", "", "print the trace of an error, with what changed in each step",
       [](MurphiOptions& o, const std::string&) { return o.traces ? Status() : set_trace(o, "diff"); }},
      {"-td", "", "the same", [](MurphiOptions& o, const std::string&) { return set_trace(o, "diff"); }},
      {"-tf", "", "print the trace of an error, with whole states",
       [](MurphiOptions& o, const std::string&) { return set_trace(o, "full"); }},
      {"-ta", "", "as -tv: not all states are printed",
       [](MurphiOptions& o, const std::string&) {
         ignore(o, "-ta: the trace of an error is printed, not all states");
         return set_trace(o, "diff");
       }},
      {"-tn", "", "print no trace; the default",
       [](MurphiOptions& o, const std::string&) { return set_trace(o, "off"); }},
      {"-nosym", "", "--symmetry off",
       [](MurphiOptions& o, const std::string&) {
         add(o, {"--symmetry", "off"});
         return Status();
       }},
      {"-sym", "[N]", "1, 2 and 3: --symmetry exact; 4: --symmetry heuristic", set_symmetry},
      {"-nomultiset", "", "ignored: multisets are sorted",
       [](MurphiOptions& o, const std::string&) {
         ignore(o, "-nomultiset: multisets are always sorted");
         return Status();
       }},
      {"-permlimit", "N", "ignored: see -sym",
       [](MurphiOptions& o, const std::string&) {
         ignore(o, "-permlimit: -sym4 finds the state of an orbit by a few permutations, the others by all");
         return Status();
       }},
      {"-finderrors", "", "--max-errors 100",
       [](MurphiOptions& o, const std::string&) {
         add(o, {"--max-errors", "100"});
         return Status();
       }},
      {"-errorsmax", "N", "--max-errors N",
       [](MurphiOptions& o, const std::string& n) {
         add(o, {"--max-errors", n});
         return Status();
       }},
      {"-b", "[N]", "without a number ignored: states are packed anyway; with one, --store signatures:N",
       [](MurphiOptions& o, const std::string& n) {
         if (!n.empty()) add(o, {"--store", "signatures:" + n});
         return Status();
       }},
      {"-c", "", "hash compaction: --store signatures:40",
       [](MurphiOptions& o, const std::string&) {
         o.hash_compaction = true;
         o.strata.insert(o.strata.begin(), {"--store", "signatures:40"});
         return Status();
       }},
      {"-d", "DIR", "--disk DIR",
       [](MurphiOptions& o, const std::string& folder) {
         add(o, {"--disk", folder});
         return Status();
       }},
      {"-o", "", "ignored",
       [](MurphiOptions& o, const std::string&) {
         ignore(o, "-o is ignored");
         return Status();
       }},
      {"--emit", "DIR",
       "without a model: write DIR/src/mu and DIR/include, in the place of CMurphi's; with models: for "
       "each a program "
       "DIR/NAME that takes these options",
       [](MurphiOptions& o, const std::string& folder) {
         o.emit = folder;
         return folder.empty() ? Status::usage("--emit: the name of the folder is empty") : Status();
       }},
      {"--mu", "",
       "be CMurphi's compiler: write MODEL.cpp, which any C++ compiler makes a program of that takes these "
       "options",
       [](MurphiOptions& o, const std::string&) {
         o.mu = true;
         return Status();
       }},
      {"--name", "NAME", "what a model from standard input (-) is called",
       [](MurphiOptions& o, const std::string& name) {
         o.name = name;
         return Status();
       }},
      {"--help", "", "print this text",
       [](MurphiOptions& o, const std::string&) {
         o.help = true;
         return Status();
       }},
  };
  return table;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// The row whose option the word is, perhaps with a value that follows it directly.
const Row* find_row(const std::string& word, std::string& value) {
  value.clear();
  for (const Row& row : rows())
    if (word == row.name) return &row;
  for (const Row& row : rows()) {
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
  return row.apply == nullptr ? set_progress(options, std::string(row.name).substr(2))
                              : row.apply(options, value);
}

// Options of Strata that take a value have it in the next word, unless it follows a sign of equality.
bool takes_next_word(const std::string& word) {
  if (word.find('=') != std::string::npos) return false;
  return std::any_of(option_rows().begin(), option_rows().end(),
                     [&](const OptionRow& row) { return word == row.name && *row.argument != '\0'; });
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
    // -b and -sym may stand alone, before the model.
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
  for (const Row& row : rows())
    if (*row.help != '\0') told.push_back(row);
  return told;
}

std::string murphi_help() {
  std::string out =
      "strata murphi [OPTIONS] MODEL: check a Murphi model, with CMurphi's options and in its words\n\n"
      "Exit codes: 0 no error found; 1 an error was found, the search is incomplete, or the model or an\n"
      "option is wrong; 130 interrupted; 153 system error. Options of `strata check` that begin with two\n"
      "dashes may be given too.\n\n";
  for (const Row& row : rows()) {
    if (*row.help == '\0') continue;
    const char* blank = row.has_argument() && !row.may_lack_argument() ? " " : "";
    out += help_entry(fmt::format("{}{}{}", row.name, blank, row.argument), row.help, 20);
  }
  return out;
}

}  // namespace strata
