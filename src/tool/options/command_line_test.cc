#include "tool/options/command_line.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace strata {
namespace {

std::string error(const std::vector<std::string>& arguments, Command command = kCheck) {
  const Result<Options> options = parse_options(command, arguments);
  if (options.ok()) return "accepted";
  EXPECT_EQ(options.status().code(), StatusCode::usage);
  const std::string tail = "\nTry 'strata " +
                           std::string(command == kCheck    ? "check"
                                       : command == kResume ? "resume"
                                       : command == kLtl    ? "ltl"
                                       : command == kTrace  ? "trace"
                                       : command == kInfo   ? "info"
                                                            : "algorithms") +
                           " --help'.";
  const std::string message = options.status().message();
  EXPECT_TRUE(message.ends_with(tail)) << message;
  return message.substr(0, message.size() - tail.size());
}

TEST(CommandLine, DefaultsAreThoseOfTheTable) {
  const Options options = parse_options(kCheck, {"model.m"}).value();
  EXPECT_EQ(options.model, "model.m");
  EXPECT_EQ(options.algorithm, "auto");
  EXPECT_FALSE(options.deadlock.has_value());
  EXPECT_EQ(options.trace, TraceMode::diff);
  EXPECT_EQ(options.progress, ProgressChoice::automatic);
  EXPECT_EQ(options.max_errors, 1u);
  EXPECT_TRUE(options.store.exact());
  EXPECT_TRUE(options.disks.empty());
  EXPECT_TRUE(options.keep.empty());
  EXPECT_FALSE(options.disk_limit.has_value());
  EXPECT_FALSE(options.memory.has_value());
  EXPECT_FALSE(options.threads.has_value());
  EXPECT_FALSE(options.bound.has_value());
  EXPECT_FALSE(options.time_limit.has_value());
  // The defaults named in the table are values that its own parser takes, and they change nothing.
  for (const OptionRow& row : option_rows()) {
    const std::string default_value = row.default_value;
    if (default_value.empty() || default_value == "none" || default_value.find(' ') != std::string::npos)
      continue;
    Options set;
    EXPECT_TRUE(row.set(set, default_value).ok()) << row.name;
  }
}

TEST(CommandLine, ReadsEveryOption) {
  const Options options =
      parse_options(kCheck, {"--algorithm", "ram",           "--memory=64M", "--threads",    "2",
                             "--invariant", "x < 3",         "-DN=3",        "-D",           "M=true",
                             "--invariant", "-x > 1",        "--deadlock",   "off",          "--bound",
                             "0",           "--time-limit",  "1.5",          "--max-errors", "4",
                             "--trace",     "full",          "--trace-file", "t.itf.json",   "--json",
                             "-",           "--progress",    "json",         "--set",        "a=1",
                             "--store",     "signatures:40", "--symmetry",   "off",          "--disk",
                             "/tmp",        "--disk=/",      "--disk-limit", "1.5G",         "model.m"})
          .value();
  EXPECT_EQ(options.model, "model.m");
  EXPECT_EQ(options.algorithm, "ram");
  EXPECT_EQ(options.memory, uint64_t{64} << 20);
  EXPECT_EQ(options.threads, 2u);
  EXPECT_EQ(options.invariants, (std::vector<std::string>{"x < 3", "-x > 1"}));
  EXPECT_EQ(options.defines, (std::vector<std::pair<std::string, std::string>>{{"N", "3"}, {"M", "true"}}));
  EXPECT_EQ(options.deadlock, DeadlockMode::off);
  EXPECT_EQ(options.bound, 0u);
  EXPECT_EQ(options.time_limit, 1.5);
  EXPECT_EQ(options.max_errors, 4u);
  EXPECT_EQ(options.trace, TraceMode::full);
  EXPECT_EQ(options.trace_file, "t.itf.json");
  EXPECT_TRUE(options.json_to_stdout());
  EXPECT_EQ(options.progress, ProgressChoice::json);
  EXPECT_EQ(options.parameters.at("a"), "1");
  EXPECT_EQ(options.store.signature_bits, 40u);
  EXPECT_EQ(options.disks, (std::vector<std::string>{"/tmp", "/"}));
  EXPECT_EQ(options.disk_limit, uint64_t{3} << 29);
}

TEST(CommandLine, OptionsMayStandAfterTheModel) {
  const Options options = parse_options(kCheck, {"model.m", "--threads", "3", "-D", "N=1"}).value();
  EXPECT_EQ(options.model, "model.m");
  EXPECT_EQ(options.threads, 3u);
  EXPECT_EQ(options.defines.size(), 1u);
  EXPECT_EQ(parse_options(kCheck, {"--invariant", "a", "model.m"})->model, "model.m");
  EXPECT_EQ(parse_options(kCheck, {"--threads", "3", "--", "-strange.m"})->model, "-strange.m");
}

TEST(CommandLine, AValueMayBeginWithADash) {
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--invariant", "-x < 3"})->invariants.at(0), "-x < 3");
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--invariant=--x"})->invariants.at(0), "--x");
  EXPECT_EQ(parse_options(kCheck, {"m.m", "-p", "a=[x]", "-pb=y"})->propositions.size(), 2u);
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--ltl", "[a, b]"})->formulas.at(0), "[a, b]");
  EXPECT_EQ(error({"m.m", "--ltl=F a", "--invariant="}), "--invariant: the expression is empty");
}

TEST(CommandLine, AFlagTakesNoValue) {
  EXPECT_EQ(error({"m.m", "--plan=yes"}), "--plan takes no value");
  EXPECT_EQ(error({"m.m", "--", "--plan", "--"}, kInfo),
            "strata info takes one model, not several: 'm.m' and '--plan'");
}

TEST(CommandLine, FormulasAreTakenAsTheyAre) {
  for (const char* formula : {"[] p", "[](p)", "() p", "!p", "\"x < 3\" U q", "", "{"}) {
    EXPECT_EQ(parse_options(kLtl, {formula})->formula, formula);
  }
  EXPECT_EQ(parse_options(kLtl, {"--format", "dot", "p"})->format, AutomatonFormat::dot);
}

TEST(CommandLine, AbsurdValues) {
  EXPECT_EQ(error({"m.m", "--threads", "0"}), "--threads: '0' is not a whole number from 1 to 1024");
  EXPECT_EQ(error({"m.m", "--threads", "100000"}),
            "--threads: '100000' is not a whole number from 1 to 1024");
  EXPECT_EQ(error({"m.m", "--memory", "1K"}), "--memory: '1K' is 1024 bytes; a search needs at least 16M");
  EXPECT_EQ(error({"m.m", "--memory", "lots"}),
            "--memory: 'lots' is not a size; write for example 512M or 1.5GiB");
  EXPECT_EQ(error({"m.m", "--bound", "-1"}), "--bound: '-1' is not a whole number of at least 0");
  EXPECT_EQ(error({"m.m", "--time-limit", "abc"}),
            "--time-limit: 'abc' is not a positive number of seconds; write for example 60 or 0.5");
  EXPECT_EQ(error({"m.m", "--max-errors", "0"}), "--max-errors: '0' is not a whole number from 1 to 1000000");
  EXPECT_EQ(error({"m.m", "--deadlock", "maybe"}),
            "--deadlock: 'maybe' is not one of off, stuck, stuttering");
  EXPECT_EQ(error({"m.m", "-D", "N"}), "-D: 'N' is not of the form NAME=VALUE");
  EXPECT_EQ(error({"m.m", "--invariant", " "}), "--invariant: the expression is empty");
  EXPECT_EQ(error({"m.m", "--trace-file", "-"}),
            "--trace-file: '-' is not a file name; text and JSON reports contain the trace");
}

TEST(CommandLine, FoldersAndSizesOnDisk) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(error({"m.m", "--disk", "/nonexistent/a"}),
            "--disk: '/nonexistent/a': No such file or directory");
  EXPECT_EQ(error({"m.m", "--disk", "/dev/null"}), "--disk: '/dev/null' is not a folder");
  EXPECT_EQ(error({"m.m", "--disk", ""}), "--disk: the name of the folder is empty");
  EXPECT_EQ(error({"m.m", "--disk", "/tmp", "--disk", here, "--disk=/tmp"}), "--disk: '/tmp' is given twice");
  EXPECT_EQ(error({"m.m", "--disk", "/tmp", "--disk", "/tmp/../tmp/"}),
            "--disk: '/tmp' and '/tmp/../tmp/' are the same folder");
  EXPECT_EQ(error({"m.m", "--disk-limit", "64K"}),
            "--disk-limit: '64K' is 65536 bytes; a search on disk needs at least 1M");
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--disk-limit", "1M"})->disk_limit, uint64_t{1} << 20);
  EXPECT_EQ(error({"m.m", "--disk-limit", "none"}),
            "--disk-limit: 'none' is not a size; write for example 512M or 1.5GiB");
  EXPECT_EQ(error({"m.m", "--keep", "/nonexistent/a"}), "--keep: '/nonexistent': No such file or directory");
  EXPECT_EQ(error({"m.m", "--keep", "/"}), "--keep: '/' is not empty; name a new folder or an empty one");
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--keep", "/tmp/strata-not-there"})->keep, "/tmp/strata-not-there");
  EXPECT_EQ(error({"m.m", "--keep", "/tmp/strata-not-there", "--disk", "/tmp"}),
            "--keep and --disk exclude each other: --keep names the folder of the files");
}

TEST(CommandLine, SeveralProperties) {
  const Options options = parse_options(kCheck, {"m.m", "--ltl", "G a", "--property", "1", "--ltl=F b",
                                                 "--automaton", "a.hoa", "--property=2", "--safety"})
                              .value();
  EXPECT_EQ(options.formulas, (std::vector<std::string>{"G a", "F b"}));
  EXPECT_EQ(options.properties, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(options.automata.size(), 1u);
  EXPECT_TRUE(options.safety);
  EXPECT_EQ(
      error({"m.m", "--ltl", "G a", "--ltl", "F b"}, kInfo),
      "2 properties are named (--ltl, --property, --automaton), but only `strata check` takes more than one");
  EXPECT_EQ(
      error({"m.dve", "--property", "1", "--property=2", "--property", "3"}, kInfo),
      "3 properties are named (--ltl, --property, --automaton), but only `strata check` takes more than one");
  // The last one of others counts, so that a script can add an option.
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--threads", "1", "--threads", "2"})->threads, 2u);
}

TEST(CommandLine, Symmetry) {
  EXPECT_EQ(error({"m.m", "--symmetry", "nice"}), "--symmetry: 'nice' is not one of exact, off");
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--symmetry", "heuristic"})->symmetry, ir::SymmetryMode::exact);
  EXPECT_EQ(error({"m.m", "--fold", "yes"}), "--fold: 'yes' is not one of auto, on, off");
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--fold", "on"})->fold, FoldMode::on);
  EXPECT_EQ(parse_options(kCheck, {"m.m"})->fold, FoldMode::automatic);
  EXPECT_EQ(error({"m.m", "--symmetry-check", "-1"}),
            "--symmetry-check: '-1' is not a whole number of at least 0");
  EXPECT_FALSE(parse_options(kCheck, {"m.m"})->symmetry.has_value());
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--symmetry", "exact"})->symmetry, ir::SymmetryMode::exact);
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--symmetry-check", "7"})->symmetry_check, 7u);
}

TEST(CommandLine, Checkpoints) {
  EXPECT_TRUE(parse_options(kCheck, {"m.m"})->checkpoint.empty());
  EXPECT_EQ(parse_options(kCheck, {"m.m"})->checkpoint_every, 600);
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--checkpoint", "d"})->checkpoint, "d");
  EXPECT_EQ(parse_options(kCheck, {"m.m", "--checkpoint-every", "2h"})->checkpoint_every, 7200);
  EXPECT_EQ(parse_options(kResume, {"d", "--checkpoint-every=0.5s"})->checkpoint_every, 0.5);
  EXPECT_EQ(error({"m.m", "--checkpoint", ""}), "--checkpoint: the name of the folder is empty");
  EXPECT_EQ(error({"m.m", "--checkpoint-every", "0"}),
            "--checkpoint-every: '0' is not a positive time; write for example 30s or 10m");
  EXPECT_EQ(error({"m.m", "--checkpoint-every", "10 m"}),
            "--checkpoint-every: '10 m' is not a time; write for example 30s, 10m or 2h");
  EXPECT_EQ(error({"m.m", "--checkpoint", "d", "--plan"}),
            "--checkpoint and --plan exclude each other: --plan saves nothing of its search");
  EXPECT_EQ(error({"m.m", "--checkpoint", "d", "--keep", "/tmp/strata-not-there"}),
            "--checkpoint and --keep exclude each other: the folder of --checkpoint is removed when the run "
            "is complete");
}

TEST(CommandLine, Resume) {
  const Options options = parse_options(kResume, {"d", "--previous", "--memory", "64M"}).value();
  EXPECT_EQ(options.checkpoint, "d");
  EXPECT_TRUE(options.previous);
  EXPECT_EQ(options.memory, uint64_t{64} << 20);
  EXPECT_EQ(error({}, kResume), "strata resume needs the folder that --checkpoint named");
  EXPECT_EQ(error({"a", "b"}, kResume), "strata resume takes one folder, not several: 'a' and 'b'");
  EXPECT_EQ(error({"d", "--bound", "3"}, kResume), "--bound is an option of 'strata check'");
  EXPECT_EQ(error({"m.m", "--resume", "d"}), "--resume is a command, not an option: strata resume DIR");
  EXPECT_EQ(error({"m.m", "--resume=d"}), "--resume is a command, not an option: strata resume DIR");
}

TEST(CommandLine, WhatAResumeDoesNotSayIsAsItWas) {
  const std::vector<std::string> check = {"m.m",     "-D",           "N=3",   "--memory",     "64M",
                                          "--disk",  "/not/there",   "-DM=2", "--checkpoint", "old",
                                          "--trace", "full",         "--set", "a=1",          "--time-limit",
                                          "5",       "--max-errors", "2"};
  const Options same = merge_options(check, {"new"}).value();
  EXPECT_EQ(same.command, kCheck);
  EXPECT_TRUE(same.resumes);
  EXPECT_EQ(same.model, "m.m");
  EXPECT_EQ(same.checkpoint, "new");
  EXPECT_EQ(same.memory, uint64_t{64} << 20);
  EXPECT_EQ(same.trace, TraceMode::full);
  EXPECT_EQ(same.time_limit, 5);
  EXPECT_EQ(same.max_errors, 2u);
  EXPECT_EQ(same.defines.size(), 2u);
  EXPECT_TRUE(same.disks.empty());
  EXPECT_FALSE(same.previous);
  const Options other =
      merge_options(check, {"--memory=1G", "new", "--trace", "off", "--disk", "/tmp", "--previous"}).value();
  EXPECT_EQ(other.memory, uint64_t{1} << 30);
  EXPECT_EQ(other.trace, TraceMode::off);
  EXPECT_EQ(other.disks, std::vector<std::string>{"/tmp"});
  EXPECT_TRUE(other.previous);
  EXPECT_EQ(other.parameters.at("a"), "1");
}

TEST(CommandLine, UnknownOptionsGetAHint) {
  EXPECT_EQ(error({"m.m", "--thread", "2"}), "unknown option '--thread'; did you mean '--threads'?");
  EXPECT_EQ(error({"m.m", "--memroy=2G"}), "unknown option '--memroy'; did you mean '--memory'?");
  EXPECT_EQ(error({"m.m", "--xyzzy-plugh"}), "unknown option '--xyzzy-plugh'");
  EXPECT_EQ(error({"m.m", "--steps", "2"}), "--steps is an option of 'strata simulate'");
}

TEST(CommandLine, MissingAndRepeatedThings) {
  EXPECT_EQ(error({}), "strata check needs a model file");
  EXPECT_EQ(error({"m.m", "--memory"}), "--memory needs a value: --memory SIZE");
  EXPECT_EQ(error({}, kLtl), "strata ltl needs a formula");
  EXPECT_EQ(error({"G", "p"}, kLtl), "strata ltl takes one formula, in quotes, not several: 'G' and 'p'");
  EXPECT_EQ(error({"G p", "--format", "xml"}, kLtl), "--format: 'xml' is not one of hoa, never, dot");
  EXPECT_EQ(error({"a.m"}, kAlgorithms), "strata algorithms takes no file: 'a.m'");
}

TEST(CommandLine, SeveralModels) {
  const Options options = parse_options(kCheck, {"a.m", "--threads", "2", "-D", "N=3", "b.m", "--plan",
                                                 "--json=x", "--invariant", "-x > 1"})
                              .value();
  EXPECT_EQ(options.models, (std::vector<std::string>{"a.m", "b.m"}));
  EXPECT_EQ(option_words(options, {"--json"}),
            (std::vector<std::string>{"-DN=3", "--invariant=-x > 1", "--threads=2", "--plan"}));
  EXPECT_EQ(error({"a.m", "b.m", "--trace-file", "t"}), "--trace-file works with one model, not with 2");
  EXPECT_EQ(error({"a.m", "-", "--language", "dve"}),
            "a model from standard input cannot be checked together with others");
  EXPECT_EQ(parse_options(kSuite, {"s.json", "--junit", "j"})->suite, "s.json");
  EXPECT_FALSE(parse_options(kInfo, {"a.m", "b.m"}).ok());
  EXPECT_FALSE(parse_options(kSuite, {}).ok());
}

TEST(CommandLine, TheLastOfAnOptionCounts) {
  const Options options =
      parse_options(kCheck, {"m.m", "--memory", "1G", "--set", "a=1", "-p", "q=x", "--memory=2G", "--set",
                             "b=3", "--set", "a=2", "-p", "q=y", "--threads=2"})
          .value();
  EXPECT_EQ(options.memory, uint64_t{2} << 30);
  EXPECT_EQ(options.parameters, (std::map<std::string, std::string>{{"a", "2"}, {"b", "3"}}));
  EXPECT_EQ(options.propositions, (std::vector<std::pair<std::string, std::string>>{{"q", "y"}}));
  EXPECT_EQ(error({"m.m", "--threads", "2", "--threads", "0"}),
            "--threads: '0' is not a whole number from 1 to 1024");
}

TEST(CommandLine, AModelFromStandardInputNeedsItsLanguage) {
  EXPECT_TRUE(parse_options(kCheck, {"-", "--language", "murphi"})->reads_stdin());
  EXPECT_EQ(parse_options(kInfo, {"--language=mdve", "-"})->model_name(), "<stdin>");
  EXPECT_EQ(parse_options(kInfo, {"m.txt", "--language=dve"})->model_name(), "m.txt");
  EXPECT_EQ(error({"-"}), "a model from standard input has no file name: name its language with --language");
  EXPECT_EQ(error({"-", "--language", "dve", "--checkpoint", "d"}),
            "--checkpoint needs a model in a file, because `strata resume` reads the model again");
  EXPECT_EQ(error({"-", "--language", "tla"}), "--language: 'tla' is not one of murphi, dve, mdve");
}

TEST(CommandLine, OptionsOfCMurphiHaveACommandOfTheirOwn) {
  const std::string tail = " MODEL`, which takes CMurphi's options?";
  EXPECT_EQ(error({"-tv", "m.m"}), "unknown option '-tv'; did you mean `strata murphi -tv" + tail);
  EXPECT_EQ(error({"m.m", "-m", "1024"}), "unknown option '-m'; did you mean `strata murphi -m" + tail);
  EXPECT_EQ(error({"m.m", "-m1024"}), "unknown option '-m1024'; did you mean `strata murphi -m1024" + tail);
  EXPECT_EQ(error({"-pr", "m.m"}), "unknown option '-pr'; did you mean `strata murphi -pr" + tail);
  EXPECT_EQ(error({"m.m", "-p", "x"}), "-p: 'x' is not of the form NAME=EXPR");
}

TEST(CommandLine, HelpNeedsNoModel) {
  EXPECT_TRUE(parse_options(kCheck, {"--help"})->help);
  EXPECT_TRUE(parse_options(kSimulate, {"m.m", "--help"})->help);
}

TEST(CommandLine, ATraceAndItsPage) {
  const Options options = parse_options(kTrace, {"t.itf.json", "--report", "t.html", "--trace=full"}).value();
  EXPECT_EQ(options.model, "t.itf.json");
  EXPECT_EQ(options.report, "t.html");
  EXPECT_EQ(options.trace, TraceMode::full);
  EXPECT_EQ(parse_options(kResume, {"d", "--report", "r.html"})->report, "r.html");
  EXPECT_EQ(error({}, kTrace), "strata trace needs a trace file");
  EXPECT_EQ(error({"a", "b", "c"}, kTrace), "strata trace takes a trace and perhaps its model, not also 'c'");
  EXPECT_EQ(error({"t", "--report", "-"}, kTrace),
            "--report: '-' is not a file name; name a file that ends in .html");
  EXPECT_EQ(error({"t", "--report", ""}, kTrace), "--report: the file name is empty");
  EXPECT_EQ(error({"m.m", "--report", "x.pdf"}),
            "--report: 'x.pdf' does not end in .html: the report is a page for a browser");
}

TEST(CommandName, KnownAndUnknown) {
  EXPECT_EQ(parse_command("check").value(), kCheck);
  EXPECT_EQ(parse_command("algorithms").value(), kAlgorithms);
  EXPECT_EQ(parse_command("chekc").status().message(),
            "unknown command 'chekc'; did you mean 'strata check'?\nTry 'strata --help'.");
  EXPECT_EQ(parse_command("model.m").status().message(),
            "unknown command 'model.m'; did you mean 'strata check model.m'?\nTry 'strata --help'.");
  EXPECT_EQ(parse_command("frobnicate").status().message(),
            "unknown command 'frobnicate'\nTry 'strata --help'.");
}

TEST(Help, NamesEveryOptionOfTheCommand) {
  for (const CommandRow& command : command_rows()) {
    const std::string help = command_help(command.command);
    EXPECT_NE(general_help().find(std::string("strata ") + command.name), std::string::npos);
    for (const OptionRow& row : option_rows()) {
      const bool offered = (row.commands & command.command) != 0;
      EXPECT_EQ(help.find("\n  " + std::string(row.name) + " ") != std::string::npos, offered)
          << command.name << " " << row.name;
    }
    for (size_t begin = 0; begin < help.size();) {
      const size_t end = help.find('\n', begin);
      EXPECT_LE(end - begin, 100u) << help.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

TEST(Help, AResumedRunHasTheOptionsOfItsBeginning) {
  const std::string help = command_help(kResume);
  EXPECT_NE(help.find("\nOptions not given here keep the values of the original command.\n"),
            std::string::npos);
  EXPECT_EQ(help.find("(default"), std::string::npos);
}

TEST(Help, IsToTheLetterForAlgorithms) {
  EXPECT_EQ(command_help(kAlgorithms),
            R"(strata algorithms [OPTIONS]: list the algorithms of `check` and their parameters

  --json FILE                       write the result as one JSON object to FILE; with -, to standard
                                    output, and all text to standard error
  --all                             list the parameters for experiments too
  --help                            print this text
)");
}

}  // namespace
}  // namespace strata
