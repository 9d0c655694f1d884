// Models as text for a device, without a device:
//
//   models_on_device [--states N] [--save FOLDER] [--no-comparison] [--kernels 0] [--clang PROGRAM] MODEL...
//
// Expands up to N reachable states of each model by its text for a device, compiled by the C++ compiler with one lane,
// and by the model itself, and compares state by state: the successors, the counts of rules, covers, and which states
// the text flags. If the model has symmetries, all of this is repeated with one state of each orbit, and the sizes of
// the orbits are compared. Where NVRTC can be loaded, it compiles the kernels for an architecture, unless there is
// --kernels 0. --clang names a clang that compiles them to PTX, without CUDA. --save keeps texts and machine code. Exit
// code 1: something differs, or a compiler refuses a text.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/process/run_program.h"
#include "device/cuda/libraries.h"
#include "device/cuda/nvrtc.h"
#include "device/kernels/texts.h"
#include "ir/symmetry/reduction.h"
#include "lang/language.h"
#include "model/device_code.h"
#include "native/native.h"
#include "search/device/kernel_text.h"
#include "view/quotient/quotient.h"

namespace strata {
namespace {

constexpr const char *kArchitecture = "sm_90", *kOfClang = "sm_80";  // clang 14 knows no later one

// What follows the text of a model: fires all groups of one state.
constexpr const char* kOneState = R"(
struct Result { u64 moves, failed, noteworthy, holds, most, differs; double orbit; };
extern "C" void expand_state(const u64* state, u64* queue, u64* fired, u32* noted, u32 properties, Result* result) {
  u32 queued = 0, counts[2 * kRulesAtHand + 1] = {};
  Context x;
  x.queue = queue;
  x.queued = &queued;
  x.counts = counts;
  x.fired = fired;
  x.noted = noted;
  x.moves = x.steps = 0;
  x.failed = x.is_noteworthy = false;
  x.pass = Pass::whole;
  x.told = nullptr;
  load(x, state);
  *result = {0, 0, 0, properties == 0 || check(x), 0, 0, 0};
  u64 same[kStateWords];
  for (u32 i = 0; i < kStateWords; ++i) same[i] = state[i];
  result->orbit = representative(same);
  // A representative stays as it is.
  for (u32 i = 0; i < kStateWords; ++i) result->differs |= same[i] != state[i];
  u64 pushed = 0;
  if (result->holds) {
    for (u32 group = 0; group < kGroups; ++group) {
      queued = 0;
      x.queue = queue + pushed * kStateWords;
      const u32 steps = x.steps, moves = x.moves;
      if (kTwoPasses) {
        // What fires is found before, without any change.
        x.pass = Pass::guards;
        x.found = false;
        fire(x, group);
        x.pass = Pass::whole;
        if (x.steps != steps || x.moves != moves || queued != 0) result->differs = 1;
      }
      fire(x, group);
      if (kTwoPasses && !x.found && x.steps != steps) result->differs = 1;
      pushed += queued;
      if (queued > result->most) result->most = queued;
    }
  }
  for (u64 i = 0; i < pushed; ++i) {
    u64 whole[kStateWords], slowly[kStateWords], difference = 0;
    u64* const quickly = queue + i * kStateWords;
    for (u32 k = 0; k < kStateWords; ++k) slowly[k] = whole[k] = quickly[k];
    const double orbit = representative(whole), slow = slow_representative(slowly),
                 quick = quick_representative(quickly);
    for (u32 k = 0; k < kStateWords; ++k) {
      difference |= quick == 0 ? 0 : whole[k] ^ quickly[k];
      difference |= slow == 0 ? 0 : whole[k] ^ slowly[k];
      quickly[k] = whole[k];
    }
    if (difference != 0 || (quick != 0 && quick != orbit) || (slow != 0 && slow != orbit)) result->differs = 1;
  }
  for (u32 i = 0; i < kRulesAtHand && i < kRules; ++i) {
    fired[i] += counts[i];
    fired[kRules + i] += counts[kRulesAtHand + i];
  }
  result->moves = pushed;
  result->failed = x.failed;
  result->noteworthy = x.is_noteworthy;
  // A deadlock, as far as a kernel can tell.
  if (x.moves == 0) result->noteworthy |= 2;
  if (x.steps == 0) result->noteworthy |= 4;
}
)";

struct Outcome {
  uint64_t moves = 0, failed = 0, noteworthy = 0, holds = 0, most = 0, differs = 0;
  double orbit = 0;
};
using ExpandState = void (*)(const uint64_t*, uint64_t*, uint64_t*, uint32_t*, uint32_t, Outcome*);

struct Options {
  uint64_t states = 2000;
  std::string save, clang;
  bool compares = true, kernels = true;
  std::vector<std::string> models;
};

std::string constants(const DeviceCode& code) {
  return fmt::format(
      "constexpr u32 kStateWords = {}, kGroups = {}, kMostOfGroup = {}, kRules = {}, kNotes = {}, "
      "kRulesAtHand = 32;\nconstexpr bool kTwoPasses = {}, kFolds = false;\n{}",
      code.state_words, code.groups, code.most_of_group, code.rules, code.notes, code.two_passes,
      code.reduces ? ""
                   : "inline double representative(u64*) { return 0; }\n"
                     "inline double slow_representative(u64*) { return 0; }\n"
                     "inline double quick_representative(u64*) { return 0; }\n");
}

device::KernelText kernels_for(const char* architecture, const DeviceCode& code, uint64_t state_bits) {
  device::DeviceInfo device;
  device.architecture = architecture;
  device.lanes = 32;
  return kernel_text(code, kernel_shape(code, state_bits, device));
}

struct CloseLibrary {
  void operator()(void* handle) const { ::dlclose(handle); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

// Each object has a name of its own: one with static members of templates is not unloaded, and would be found again.
Library compile_for_host(const DeviceCode& code, const std::string& folder) {
  static int objects = 0;
  const std::string source = folder + "/model.cc", object = fmt::format("{}/model{}.so", folder, ++objects);
  std::ofstream(source) << embedded::kLaneText << constants(code) << embedded::kFiringText << code.text
                        << kOneState;
  const char* compiler = std::getenv("CXX");
  Program program;
  program.command = {compiler == nullptr ? "c++" : compiler,
                     "-std=c++20",
                     "-O1",
                     "-fno-strict-aliasing",
                     "-w",
                     "-shared",
                     "-fPIC",
                     "-o",
                     object,
                     source,
                     "-latomic"};
  if (!run_program(program).ok()) return nullptr;
  return Library(::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL));
}

// Compares the states that one model can reach.
class Comparison {
 public:
  Comparison(const Model& model, const DeviceCode& code, ExpandState expand)
      : model_(model),
        code_(code),
        expand_(expand),
        bytes_(model.info().state_bytes),
        out_(model.info(), std::max<uint64_t>(model.info().max_successors, model.info().max_initial) + 1),
        counts_(model.info()),
        queue_((uint64_t(code.groups) + 1) * code.most_of_group * code.state_words + code.state_words),
        fired_(2 * code.rules + 1),
        noted_(code.notes / 32 + 1) {
    out_.deadlock = model.info().deadlock;
    out_.counts = &counts_;
  }

  // What differs first; empty: nothing.
  std::string run(uint64_t most) {
    out_.reset();
    model_.initial(out_);
    for (uint64_t i = 0; i < out_.count; ++i) meet(out_.successor(i));
    // Start states are the processor's, with the covers in them.
    std::fill(out_.covered.begin(), out_.covered.end(), uint8_t{0});
    while (!waiting_.empty() && states_ < most) {
      const std::string state = waiting_.front();
      waiting_.pop_front();
      ++states_;
      if (const std::string what = compare(state); !what.empty())
        return fmt::format("state {}: {}", states_, what);
    }
    return compare_counts();
  }
  uint64_t states() const { return states_; }

 private:
  void meet(const uint8_t* state) {
    std::string bytes(reinterpret_cast<const char*>(state), bytes_);
    if (met_.insert(bytes).second) waiting_.push_back(std::move(bytes));
  }

  std::string compare(const std::string& state) {
    std::string padded = state;
    padded.resize(code_.state_words * 8 + 16);
    std::vector<uint64_t> words(code_.state_words);
    std::memcpy(words.data(), padded.data(), words.size() * 8);
    Outcome device;
    expand_(words.data(), queue_.data(), fired_.data(), noted_.data(), 1, &device);
    out_.reset();
    model_.expand(reinterpret_cast<const uint8_t*>(padded.data()), 1, out_);
    if (device.most > code_.most_of_group) return "a group gave more successors than it may";
    std::vector<std::string> from_model, from_device;
    for (uint64_t i = 0; i < out_.count; ++i) {
      from_model.emplace_back(reinterpret_cast<const char*>(out_.successor(i)), bytes_);
      from_model.back().resize(code_.state_words * 8);
      meet(out_.successor(i));
    }
    const std::string self(reinterpret_cast<const char*>(words.data()), words.size() * 8);
    for (uint64_t i = 0; i < device.moves; ++i) {
      std::string successor(reinterpret_cast<const char*>(&queue_[i * code_.state_words]),
                            code_.state_words * 8);
      // The quotient drops successors in the orbit of their parent.
      if (!code_.reduces || successor != self) from_device.push_back(std::move(successor));
    }
    std::sort(from_model.begin(), from_model.end());
    std::sort(from_device.begin(), from_device.end());
    if (from_model.size() != from_device.size())
      return fmt::format("{} successors, on the device {}", from_model.size(), from_device.size());
    if (from_model != from_device) return "other successors";
    if (device.differs != 0) return "the ways to a representative differ, or it has another one";
    if (device.orbit != out_.orbit_states)
      return fmt::format("an orbit of {} states, on the device {}", out_.orbit_states, device.orbit);
    return compare_failures(device);
  }

  std::string compare_failures(const Outcome& device) const {
    bool holds = true, failed = false, deadlock = false;
    for (const Failure& failure : out_.failures) {
      deadlock |= failure.kind == Failure::Kind::deadlock;
      const bool of_property = failure.kind == Failure::Kind::property || failure.evaluated != kNoProperty;
      holds &= !of_property;
      failed |= failure.kind == Failure::Kind::runtime && !of_property;
    }
    if (holds != (device.holds != 0)) return holds ? "no property fails" : "a property fails";
    if (failed != (device.failed != 0)) return failed ? "a rule fails" : "no rule fails";
    const uint64_t stuck = out_.deadlock == DeadlockMode::stuck ? 4 : 2;
    const bool flagged =
        out_.deadlock != DeadlockMode::off && holds && !failed && (device.noteworthy & stuck) != 0;
    if (deadlock != flagged) return deadlock ? "a deadlock" : "no deadlock";
    return {};
  }

  std::string compare_counts() const {
    for (size_t i = 0; i < code_.rules; ++i) {
      const RuleCount& rule = counts_.rules[i];
      if (rule.fired != fired_[i])
        return fmt::format("rule {} fired {} times, not {}", i, rule.fired, fired_[i]);
      if (rule.states != fired_[code_.rules + i])
        return fmt::format("rule {} fired in {} states, not {}", i, rule.states, fired_[code_.rules + i]);
    }
    const auto noted = [&](size_t note) { return (noted_[note / 32] >> note % 32 & 1) != 0; };
    const size_t properties = model_.info().properties.size();
    for (size_t i = 0; i < properties; ++i)
      if (noted(i) != (out_.covered[i] != 0)) return fmt::format("the cover of property {}", i);
    for (size_t i = 0; i < model_.info().premises.size(); ++i)
      if (noted(properties + i) != (out_.premises[i] != 0)) return fmt::format("premise {}", i);
    const ErrorStates* errors = model_.capabilities().error_states;
    if (noted(code_.notes - 1) != (errors != nullptr && errors->reached_error_state()))
      return "an error state";
    return {};
  }

  const Model& model_;
  const DeviceCode& code_;
  const ExpandState expand_;
  const uint64_t bytes_;
  Expansion out_;
  RuleCounts counts_;
  std::vector<uint64_t> queue_, fired_;
  std::vector<uint32_t> noted_;
  std::set<std::string> met_;
  std::deque<std::string> waiting_;
  uint64_t states_ = 0;
};

class Run {
 public:
  Run(Options options, std::optional<device::Nvrtc> compiler)
      : options_(std::move(options)), compiler_(std::move(compiler)) {}

  bool all() {
    std::string folder = (std::filesystem::temp_directory_path() / "models-on-device-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return false;
    for (const std::string& path : options_.models) one(path, folder);
    std::filesystem::remove_all(folder);
    fmt::print("{} models: {} forms compared in {} states, {} refused with a reason, {} not read, {} wrong\n",
               options_.models.size(), compared_, states_, refused_, unread_, wrong_);
    return wrong_ == 0 && (compared_ > 0 || !options_.compares);
  }

 private:
  void one(const std::string& path, const std::string& folder) {
    Result<ir::Program> program = compile_file(path, LanguageOptions());
    if (!program.ok()) {
      ++unread_;
      return;
    }
    const Result<std::unique_ptr<Model>> model = native::load(std::move(*program), {});
    if (!model.ok()) return wrong(path, model.status().message());
    one_form(path, **model, folder);
    reduced(path, folder);
  }

  void reduced(const std::string& path, const std::string& folder) {
    Result<ir::Program> read = compile_file(path, LanguageOptions());
    ir::Program& program = *read;
    static_cast<void>(ir::choose_reduction(program, {}));
    if (program.reduced.empty()) return;
    const Result<std::unique_ptr<Model>> model = native::load(std::move(program), {});
    if (!model.ok()) return wrong(path, model.status().message());
    one_form(path + " (orbits)", QuotientModel(**model), folder);
  }

  // A model, or its quotient.
  void one_form(const std::string& name, const Model& model, const std::string& folder) {
    const Result<DeviceCode> code = model.capabilities().device->device_code();
    if (!code.ok()) {
      ++refused_;
      fmt::print("{}: {}\n", name, code.status().message());
      return;
    }
    if (compiler_) compile(name, *code, model.info().state_bits);
    if (!options_.clang.empty()) compile_with_clang(name, *code, model.info().state_bits, folder);
    if (options_.compares) compare(name, model, *code, folder);
  }

  void compile(const std::string& path, const DeviceCode& code, uint64_t state_bits) {
    device::KernelText kernel = kernels_for(kArchitecture, code, state_bits);
    kernel.quick = options_.save.empty();
    const std::string stem =
        options_.save + "/" + std::filesystem::path(path).stem().string() + (code.reduces ? "_orbits" : "");
    if (!options_.save.empty()) std::ofstream(stem + ".cu") << kernel.text;
    const auto begin = std::chrono::steady_clock::now();
    const Result<std::string> image = compiler_->compile(kernel, kArchitecture);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!options_.save.empty() && image.ok()) std::ofstream(stem + ".cubin", std::ios::binary) << *image;
    fmt::print("{}: {} words, {} groups of {}, {} KiB of text, {:.1f} s\n", path, code.state_words,
               code.groups, code.most_of_group, code.text.size() >> 10, seconds);
    std::fflush(stdout);
    if (!image.ok()) wrong(path, image.status().message());
  }

  void compile_with_clang(const std::string& path, const DeviceCode& code, uint64_t state_bits,
                          const std::string& folder) {
    const std::string source = folder + "/kernels.cu";
    std::ofstream(source) << kernels_for(kOfClang, code, state_bits).text;
    Program program;
    program.command = {options_.clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"};
    for (const char* word :
         {"-std=c++20", "-O1", "-w", "-S", "-Xclang", "-target-feature", "-Xclang", "+ptx72", "-D__CUDACC__",
          "-include", STRATA_SOURCE_DIR "/tests/device/clang_cuda.h"})
      program.command.emplace_back(word);
    program.command.push_back(std::string("--cuda-gpu-arch=") + kOfClang);
    program.command.insert(program.command.end(), {"-o", folder + "/kernels.ptx", source});
    if (!run_program(program).ok()) wrong(path, "clang refuses the kernels");
  }

  void compare(const std::string& path, const Model& model, const DeviceCode& code,
               const std::string& folder) {
    const Library library = compile_for_host(code, folder);
    if (!library) return wrong(path, "the C++ compiler refuses the text");
    const auto expand = reinterpret_cast<ExpandState>(::dlsym(library.get(), "expand_state"));
    if (expand == nullptr) return wrong(path, "the text has no entry");
    Comparison comparison(model, code, expand);
    const std::string difference = comparison.run(options_.states);
    if (!difference.empty()) return wrong(path, difference);
    ++compared_;
    states_ += comparison.states();
  }

  void wrong(const std::string& path, const std::string& what) {
    ++wrong_;
    fmt::print("{}: {}\n", path, what);
    std::fflush(stdout);
  }

  const Options options_;
  const std::optional<device::Nvrtc> compiler_;
  uint64_t compared_ = 0, refused_ = 0, unread_ = 0, wrong_ = 0, states_ = 0;
};

Options read_options(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--states" && i + 1 < count)
      options.states = std::strtoull(words[++i], nullptr, 10);
    else if (word == "--save" && i + 1 < count)
      options.save = words[++i];
    else if (word == "--clang" && i + 1 < count)
      options.clang = words[++i];
    else if (word == "--kernels" && i + 1 < count)
      options.kernels = std::strcmp(words[++i], "0") != 0;
    else if (word == "--no-comparison")
      options.compares = false;
    else
      options.models.push_back(word);
  }
  return options;
}

int run(int count, char** words) {
  const Options options = read_options(count, words);
  if (options.models.empty()) {
    fmt::print("skipped: there are no models\n");
    return 77;
  }
  std::optional<device::Nvrtc> compiler;
  if (options.kernels) {
    Result<device::Nvrtc> loaded = device::Nvrtc::load(device::library_places().compiler);
    if (loaded.ok())
      compiler = *std::move(loaded);
    else
      fmt::print("no kernel is compiled for a GPU: {}\n", loaded.status().message());
  }
  return Run(options, std::move(compiler)).all() ? 0 : 1;
}

}  // namespace
}  // namespace strata

int main(int count, char** words) { return strata::run(count, words); }
