#include "native/compile/compiler.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>

#include "base/process/leftovers.h"
#include "base/process/run_program.h"
#include "base/system/sync_folder.h"
#include "native/compile/cache_folder.h"
#include "native/compile/file_lock.h"
#include "native/compile/sealed_file.h"

namespace strata::native {

// A generated text of this size would take minutes to optimise.
constexpr size_t kLargeSource = 2 << 20;

// For texts in parts, which are large: what of -O2 makes a model faster, at two thirds of its time. clang
// ignores the flags that it does not have, as long as it knows their names.
constexpr const char* kLargeFlags[] = {"-O1", "-finline-functions", "-ftree-vrp", "-foptimize-sibling-calls",
                                       "-fexpensive-optimizations"};

static std::vector<std::string> flags_for(const ModelSource& source) {
  if (!source.flags.empty()) return source.flags;
  std::vector<std::string> flags = {"-std=c++17", "-w", "-fPIC", "-g0", "-fvisibility=hidden"};
  if (source.text.size() >= kLargeSource)
    flags.push_back("-O1");
  else if (source.parts > 1)
    flags.insert(flags.end(), std::begin(kLargeFlags), std::end(kLargeFlags));
  else
    flags.push_back("-O3");
  return flags;
}

std::vector<std::string> compiler_command() {
  const char* variable = std::getenv("CXX");
  std::istringstream words(variable && *variable ? variable : "c++");
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) command.push_back("c++");
  return command;
}

// The file that a command name means, or empty.
static std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

static std::string cache_key(const ModelSource& source, const std::vector<std::string>& command,
                             const std::string& program) {
  std::string text = source.text;
  for (const std::string& word : command) text += "\n" + word;
  for (const std::string& flag : flags_for(source)) text += "\n" + flag;
  for (const std::string& library : source.libraries) text += "\n" + library;
  struct stat info {};
  if (::stat(program.c_str(), &info) == 0)
    text += fmt::format("\n{} {} {}", program, info.st_size, info.st_mtime);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

static Status system_error(const std::string& what, const std::string& path) {
  return Status::system(fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno)));
}

// What is in the way and no plain file goes: a FIFO would hold up whoever writes to it.
static Status make_way(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || S_ISREG(about.st_mode)) return {};
  std::error_code error;
  std::filesystem::remove(path, error);
  if (!error) return {};
  return Status::system(
      fmt::format("'{}' is in the way of a compiled model: it cannot be removed: {}; remove it yourself, or "
                  "set XDG_CACHE_HOME to another folder",
                  path, error.message()));
}

static Status write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  return out ? Status() : system_error("write the generated model to", path);
}

static std::string first_lines(const std::string& path, int count) {
  std::ifstream in(path);
  std::string text;
  for (std::string text_line; count-- > 0 && std::getline(in, text_line);) text += "  " + text_line + "\n";
  return text;
}

// A stack that is too small for the compiler is not easily guessed from its last words.
static std::string stack_hint() {
  constexpr rlim_t kSmallStack = 4 << 20;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kSmallStack) return "";
  return fmt::format("  (the stack is limited to {} KiB, which may be too little; see ulimit -s)\n",
                     stack.rlim_cur >> 10);
}

static Status compile_error(const ProgramEnd& end, const std::string& compiler,
                            const std::string& source_path, const std::string& errors) {
  switch (end.kind) {
    case ProgramEnd::Kind::stopped:
      return {StatusCode::interrupted, "interrupted while the model was compiled"};
    case ProgramEnd::Kind::not_started:
      errno = end.number;
      return system_error("run the C++ compiler", compiler);
    case ProgramEnd::Kind::exited:
      return Status::system(
          fmt::format("the C++ compiler '{}' could not compile the generated model '{}':\n{}{}", compiler,
                      source_path, first_lines(errors, 8), stack_hint()));
    default: break;
  }
  return Status::system(fmt::format("the C++ compiler '{}' was ended by signal {} ({})\n{}", compiler,
                                    end.number, ::strsignal(end.number), stack_hint()));
}

// Runs the compiler with these words; all that it writes is in the folder `work`, its messages in the file `log` there.
static Status run_compiler(const std::vector<std::string>& words, const std::string& source_path,
                           const std::string& work, const std::string& log) {
  const std::string errors = work + "/" + log;
  const int output = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (output < 0) return system_error("write to", errors);
  Program program;
  program.command = compiler_command();
  program.command.insert(program.command.end(), words.begin(), words.end());
  program.files = {-1, output, output};
  program.variables = {{"TMPDIR", work}};
  const ProgramEnd end = run_program(program);
  ::close(output);
  return end.ok() ? Status() : compile_error(end, program.command[0], source_path, errors);
}

// Compiles the parts, as many at a time as there are cores, and links them.
static Status compile_parts(const ModelSource& source, const std::string& source_path,
                            const std::string& made, const std::string& work) {
  std::vector<Status> results(source.parts);
  std::vector<std::string> link = {"-shared", "-o", made};
  for (unsigned part = 0; part < source.parts; ++part) link.push_back(fmt::format("{}/part{}.o", work, part));
  std::atomic<unsigned> next{0};
  const auto compile_some = [&] {
    for (unsigned part = next++; part < source.parts; part = next++) {
      std::vector<std::string> words = flags_for(source);
      words.insert(words.end(), {fmt::format("-DSTRATA_PART={}", part), "-c", "-o",
                                 fmt::format("{}/part{}.o", work, part), source_path});
      results[part] = run_compiler(words, source_path, work, fmt::format("log{}", part));
    }
  };
  {
    const unsigned most = std::min(source.parts, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::jthread> others;
    others.reserve(most);
    try {
      while (others.size() + 1 < most) others.emplace_back(compile_some);
    } catch (const std::system_error&) {
      // Those that the system gives, and this one.
    }
    compile_some();
  }
  for (const Status& result : results)
    if (!result.ok()) return result;
  return run_compiler(link, source_path, work, "log");
}

static Status compile_whole(const ModelSource& source, const std::string& source_path,
                            const std::string& made, const std::string& work) {
  std::vector<std::string> words = flags_for(source);
  words.insert(words.end(), {"-shared", "-o", made, source_path});
  words.insert(words.end(), source.libraries.begin(), source.libraries.end());
  return run_compiler(words, source_path, work, "log");
}

// Compiles KEY.cc to KEY.so; the caller holds the lock.
static Status make_object(const std::string& stem, const ModelSource& source) {
  remove_work(stem);
  const Leftover work(work_folder(stem));
  if (::mkdir(work.path().c_str(), 0700) != 0) return system_error("make the folder", work.path());
  const std::string made = work.path() + "/model.so", object = stem + ".so";
  Status status = make_way(stem + ".cc");
  if (status.ok()) status = make_way(object);
  if (status.ok()) status = write_file(stem + ".cc", source.text);
  const auto compile_source = source.parts > 1 ? compile_parts : compile_whole;
  if (status.ok()) status = compile_source(source, stem + ".cc", made, work.path());
  if (status.ok()) status = seal_file(made);
  if (status.ok() && ::rename(made.c_str(), object.c_str()) != 0)
    status = system_error("store the compiled model as", object);
  remove_work(stem);
  return status;
}

static bool reuse(const std::string& object) {
  if (!is_sealed(object)) return false;
  ::utimensat(AT_FDCWD, object.c_str(), nullptr, 0);
  return true;
}

static Status no_compiler(const std::string& name) {
  return Status::system(
      fmt::format("cannot compile the model: there is no C++ compiler '{}'; install one (Debian: "
                  "apt-get install g++) or name yours in the environment variable CXX",
                  name));
}

static Status no_lock(const std::string& cache_dir) {
  if (programs_stopped()) return {StatusCode::interrupted, "interrupted while the model was compiled"};
  return Status::system(system_error("write to the cache of compiled models", cache_dir).message() +
                        "; set XDG_CACHE_HOME to a folder you can write to");
}

Result<CompiledObject> compile(const ModelSource& source, const std::string& cache_dir, bool fresh,
                               const std::function<void()>& before) {
  const std::vector<std::string> command = compiler_command();
  const std::string program = find_program(command[0]);
  if (program.empty()) return no_compiler(command[0]);
  if (Status s = prepare_cache(cache_dir); !s.ok()) return Status::system(s.message());
  const std::string stem = cache_dir + "/" + cache_key(source, command, program);
  const std::string object = stem + ".so";
  if (!fresh && reuse(object)) return CompiledObject{object, true};
  {
    const FileLock lock(stem + ".lock", FileLock::Wait::yes);
    if (!lock.held()) return no_lock(cache_dir);
    if (!fresh && reuse(object)) return CompiledObject{object, true};
    if (before) before();
    if (Status s = make_object(stem, source); !s.ok()) return s;
  }
  sync_folder(cache_dir);
  trim_cache(cache_dir, kCacheLimit, object);
  return CompiledObject{object, false};
}

}  // namespace strata::native
