// The options of every command, as read from the command line and checked one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "ir/symmetry/reduction.h"
#include "model/fairness.h"
#include "model/model.h"
#include "report/result.h"
#include "report/run_info.h"
#include "store/key/store_mode.h"

namespace strata {

struct Language;

// Bits, so that a row of options.def can name several.
enum Command : unsigned {
  kNoCommand = 0,
  kCheck = 1,
  kInfo = 2,
  kSimulate = 4,
  kAlgorithms = 8,
  kLtl = 16,
  kResume = 32,
  kTrace = 256,
  kCache = 1 << 10,
  kSuite = 1 << 12,
  kGraph = 1 << 13,
  kStep = 1 << 15,
  kLsp = 1 << 16,
  kMurphi = 1 << 11,   // with options of its own (tool/murphi)
  kLibrary = 1 << 14,  // no command: a check through the library (src/api)
};

enum class ProgressChoice { automatic, plain, json, off };

enum class AutomatonFormat { hoa, never, dot };

struct Options {
  Command command = kNoCommand;
  std::vector<std::string> arguments;  // those that were read
  bool help = false;
  bool all_parameters = false;      // strata algorithms --all
  bool clear = false;               // --clear
  std::vector<std::string> models;  // all of them; `model` is the first
  std::string suite;                // the file of `strata suite`
  std::string model;                // a file; "-": standard input
  std::optional<SourceFile> input;  // what standard input gave
  std::string name;                 // what the model from standard input is called; empty: "<stdin>"
  std::string language;             // empty: by the extension of the file
  std::map<std::string, std::string> language_options;  // of one language each (lang/languages.def), by id
  std::string formula;
  AutomatonFormat format = AutomatonFormat::hoa;
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> invariants;
  std::vector<std::string> actors;      // of --actor: [RULE=]NAME
  std::vector<std::string> values;      // no option: expressions to be evaluated in single states
  std::vector<std::string> properties;  // --property; empty: as the model says
  std::optional<ir::SymmetryMode> symmetry;
  uint64_t symmetry_check = 100;  // states
  FoldMode fold = FoldMode::automatic;
  std::vector<std::string> formulas;                              // --ltl
  std::vector<std::pair<std::string, std::string>> propositions;  // -p
  std::vector<std::string> automata;                              // --automaton: files
  bool safety = false;                                            // --safety
  bool ignore_finite = false;                                     // --finite ignore
  std::vector<FairnessRequest> fairness;                          // --fairness
  std::optional<DeadlockMode> deadlock;                           // none: as the model's language defines it
  std::string algorithm = "auto";
  std::map<std::string, std::string> parameters;
  std::optional<uint64_t> memory;
  std::optional<unsigned> threads;
  std::string device;                     // --device: auto, none, host or a number; empty: not given
  std::optional<uint64_t> device_memory;  // none: what is free
  bool devices = false;                   // strata info --devices
  StoreMode store;
  std::vector<std::string> disks;  // empty: the default
  std::optional<uint64_t> disk_limit;
  std::string keep;        // empty: nothing is kept
  std::string checkpoint;  // a folder; empty: no checkpoints
  double checkpoint_every = 600;
  bool resumes = false;   // continues the run of that folder
  bool previous = false;  // from the checkpoint before the last one
  uint64_t ranks = 1;     // processes that search together
  bool anew = false;      // from the beginning: not all ranks have a checkpoint
  // The folder of --checkpoint; with several ranks, each has its run in a folder within it.
  std::string run_folder;
  std::optional<bool> paths;  // whether the search keeps what paths need; none: if the outputs need paths
  std::optional<uint64_t> bound;
  std::optional<double> time_limit;
  bool plan = false;  // --plan
  uint64_t max_errors = 1;
  uint64_t steps = 1'000'000;
  uint64_t depth = 10'000;
  uint64_t seed = 1;
  TraceMode trace = TraceMode::diff;
  CoverageMode coverage = CoverageMode::brief;
  std::string output;               // of graph; empty: none was given
  uint64_t graph_states = 2000;     // --states
  std::vector<std::string> labels;  // --label; empty: all variables, where they are few
  std::optional<uint64_t> around;   // steps; none: the whole graph
  std::string trace_file;           // empty: none
  std::vector<std::string> show;    // --show
  std::string where;                // empty: all steps
  std::string along;                // a trace that `strata step` follows first; empty: none
  std::string json;                 // empty: none; "-": standard output
  std::string report;               // a page; empty: none
  std::string junit, sarif;         // files; empty: none
  ProgressChoice progress = ProgressChoice::automatic;

  // How many properties --ltl, --property and --automaton name; 0: the model's own.
  uint64_t named_properties() const { return formulas.size() + automata.size() + properties.size(); }
  bool reads_stdin() const { return model == "-"; }
  // The name of the model in messages and reports.
  std::string model_name() const { return !reads_stdin() ? model : name.empty() ? "<stdin>" : name; }
  bool json_to_stdout() const { return json == "-"; }
  bool wants_paths() const { return paths.value_or(trace != TraceMode::off || !trace_file.empty()); }
};

// The least --memory that a search can start with.
constexpr uint64_t kLeastMemory = uint64_t{16} << 20;
// The least --device-memory: some thousand states.
constexpr uint64_t kLeastDeviceMemory = uint64_t{1} << 20;
// The least --disk-limit: a handful of blocks.
constexpr uint64_t kLeastDisk = uint64_t{1} << 20;

struct OptionRow {
  const char* id;  // by which the library knows it
  unsigned commands;
  // What a second value of the option does: it replaces the first, or is added to it.
  enum class Repeat { replaces, adds } repeat;
  const char* name;
  std::string argument;  // empty: a flag
  const char* default_value;
  const char* help;
  // Checks the text and stores it; the message of a failure does not name the option.
  std::function<Status(Options& options, const std::string& text)> set;

  bool is_flag() const { return argument.empty(); }
};

// The rows of options.def, and those of the languages.
const std::vector<OptionRow>& option_rows();
std::vector<OptionRow> option_rows_with(const std::vector<Language>& languages);
// The values of --language, for messages: "murphi, dve, mdve".
std::string language_words();

// Checks that need several options.
Status check_combination(const Options& options);

}  // namespace strata
