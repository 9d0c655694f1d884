#include "device/cuda/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/process/in_copy.h"

namespace strata::device {
namespace {

constexpr int kCompiled = 0, kInvalidOption = 5;
// Code for a virtual architecture runs on all newer ones. The first one has all instructions that kernels need, the
// second one those that they use where the device has them (device/kernels/lane.cuh).
constexpr const char *kOldestArchitecture = "compute_80", *kLaterArchitecture = "compute_90";
const char* virtual_architecture(const std::string& architecture) {
  constexpr size_t kPrefix = 3;  // "sm_"
  constexpr int kLater = 90;
  return std::atoi(architecture.c_str() + std::min(kPrefix, architecture.size())) >= kLater
             ? kLaterArchitecture
             : kOldestArchitecture;
}
// Messages of a compiler that refuses a text may be as long as the text.
constexpr size_t kMessageBytes = 4000;

// A program of NVRTC, which goes away with this object.
class Unit {
 public:
  Unit(const CompilerLibrary& library, const std::string& text) : library_(library) {
    if (library_.create(&program_, text.c_str(), "kernels.cu", 0, nullptr, nullptr) != kCompiled)
      program_ = nullptr;
  }
  ~Unit() {
    if (program_ != nullptr) library_.destroy(&program_);
  }
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  bool made() const { return program_ != nullptr; }
  int compile(const std::vector<std::string>& options) {
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    return library_.compile(program_, static_cast<int>(words.size()), words.data());
  }

  using Size = int (*)(void*, size_t*);
  using Content = int (*)(void*, char*);
  std::string get(Size size, Content content) const {
    size_t bytes = 0;
    if (size(program_, &bytes) != kCompiled || bytes == 0) return {};
    std::string result(bytes, '\0');
    if (content(program_, result.data()) != kCompiled) return {};
    return result;
  }
  std::string messages() const {
    std::string text = get(library_.log_size, library_.log);
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    if (text.size() > kMessageBytes) text = text.substr(0, kMessageBytes) + "\n...";
    return text;
  }

 private:
  const CompilerLibrary& library_;
  void* program_ = nullptr;
};

// Of larger texts, NVRTC's slowest passes take minutes: MU_FullSystem_3CC (547 KiB) takes more than eight without
// kLittleHaste and 33 s with it. Smaller texts become worse with it: the states of msi.m leave the registers.
constexpr size_t kLargeText = size_t{256} << 10;
constexpr std::pair kFirstWithHaste(12, 8);
constexpr const char* kGreatHaste = "--Ofast-compile=max";
constexpr const char* kLittleHaste = "--Ofast-compile=min";

std::string haste_for(const KernelText& text) {
  if (text.quick) return kGreatHaste;
  return text.text.size() > kLargeText ? kLittleHaste : "";
}

std::vector<std::string> options_for(const KernelText& text, const std::string& target,
                                     const std::string& haste) {
  std::vector<std::string> options = {"--gpu-architecture=" + target, "--std=c++20", "--device-int128",
                                      "--device-as-default-execution-space", "--disable-warnings"};
  if (!haste.empty()) options.push_back(haste);
  options.insert(options.end(), text.options.begin(), text.options.end());
  return options;
}

}  // namespace

std::string Nvrtc::identity() const {
  std::string all = version_;
  for (const std::string& option : options_for({}, "", kGreatHaste)) all += ' ' + option;
  all += fmt::format(" {} above {}", kLittleHaste, kLargeText);
  return all;
}

Result<Nvrtc> Nvrtc::load(const std::vector<std::string>& places) {
  const Result<CompilerLibrary> library = load_compiler(places);
  if (!library.ok()) return library.status();
  Nvrtc nvrtc(*library);
  int major = 0, minor = 0;
  if (library->version(&major, &minor) != kCompiled || major < 12)
    return Status::system(fmt::format("NVRTC is too old: {} is of CUDA {}.{}; install CUDA 12 or newer",
                                      library->path, major, minor));
  nvrtc.version_ = fmt::format("NVRTC {}.{}", major, minor);
  nvrtc.compiles_quickly_ = std::pair(major, minor) >= kFirstWithHaste;
  return nvrtc;
}

// NVRTC takes minutes for some texts, and hears only between its passes that it is to stop.
Result<std::string> Nvrtc::compile(const KernelText& text, const std::string& architecture) const {
  Result<std::string> image = in_copy_of_process(
      version_, [&] { return compile_here(text, architecture); }, text.cancel);
  if (image.status().code() == StatusCode::interrupted)
    return Status(StatusCode::interrupted, "interrupted while the kernels were compiled");
  return image;
}

Result<std::string> Nvrtc::compile_here(const KernelText& text, const std::string& architecture) const {
  Unit unit(library_, text.text);
  if (!unit.made())
    return Status::system(version_ + " could not take the text of the kernels: out of memory");
  // An older NVRTC may know neither the option for fast compilation nor the newest architectures.
  const std::string haste = haste_for(text);
  int code = unit.compile(options_for(text, architecture, haste));
  if (code == kInvalidOption && !haste.empty()) code = unit.compile(options_for(text, architecture, ""));
  const bool machine_code = code == kCompiled;
  if (code == kInvalidOption) code = unit.compile(options_for(text, virtual_architecture(architecture), ""));
  if (code != kCompiled)
    return Status::system(
        fmt::format("{} refused the kernels for {}:\n{}", version_, architecture, unit.messages()));
  std::string image = machine_code ? unit.get(library_.cubin_size, library_.cubin)
                                   : unit.get(library_.ptx_size, library_.ptx);
  if (image.empty()) return Status::system(version_ + " compiled the kernels and gave nothing");
  return image;
}

}  // namespace strata::device
