#include "device/testing/host_compiler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/process/run_program.h"
#include "base/sanitized.h"

namespace strata::device {
namespace {

struct Folder {
  Folder() {
    std::string name = testing::TempDir() + "strata-kernels-XXXXXX";
    path = ::mkdtemp(name.data()) == nullptr ? "" : name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path;
  int files = 0;
};

}  // namespace

HostCompiler test_compiler(std::vector<std::string> options) {
  const auto folder = std::make_shared<Folder>();
  return [folder, options = std::move(options)](const KernelText& text) -> Result<std::string> {
    const std::string stem = fmt::format("{}/kernels{}", folder->path, ++folder->files);
    std::ofstream(stem + ".cc") << text.text;
    const char* compiler = std::getenv("CXX");
    strata::Program program;
    program.command = {compiler == nullptr ? "c++" : compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-w"};
    // Races between warps are those that ThreadSanitizer is to see.
    if (kThreadSanitized) program.command.emplace_back("-fsanitize=thread");
    for (const std::vector<std::string>& more : {options, text.options})
      program.command.insert(program.command.end(), more.begin(), more.end());
    program.command.insert(program.command.end(), {"-o", stem + ".so", stem + ".cc", "-latomic"});
    if (!run_program(program).ok()) return Status::system("the C++ compiler refused the kernels");
    return stem + ".so";
  };
}

}  // namespace strata::device
