#include "native/compiler.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/process.h"

namespace strata::native {

namespace fs = std::filesystem;

// A generated text of this size would take minutes to optimise.
constexpr size_t kLargeSource = 2 << 20;

static std::vector<std::string> flags_for(const std::string& source) {
  return {"-std=c++17",         source.size() < kLargeSource ? "-O3" : "-O1", "-w", "-fPIC", "-shared", "-g0",
          "-fvisibility=hidden"};
}

std::string default_cache_dir() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::string(cache) + "/strata";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/strata";
  return fmt::format("/tmp/strata-cache-{}", ::getuid());
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

static std::string cache_key(const std::string& source, const std::vector<std::string>& command,
                             const std::string& program) {
  std::string text = source;
  for (const std::string& word : command) text += "\n" + word;
  for (const std::string& flag : flags_for(source)) text += "\n" + flag;
  struct stat info {};
  if (::stat(program.c_str(), &info) == 0)
    text += fmt::format("\n{} {} {}", program, info.st_size, info.st_mtime);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

static Status system_error(const std::string& what, const std::string& path) {
  return Status::system(fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno)));
}

// What lies in the cache is run, so nobody else may put something there.
static Status check_owner(const std::string& cache_dir) {
  struct stat found;
  if (::stat(cache_dir.c_str(), &found) != 0)
    return system_error("make the cache of compiled models", cache_dir);
  if (found.st_uid == ::geteuid() && (found.st_mode & S_IWOTH) == 0) return {};
  return Status::system(
      fmt::format("the cache of compiled models '{}' belongs to another user, or others may write to it; set "
                  "XDG_CACHE_HOME to a "
                  "folder of your own",
                  cache_dir));
}

static Status write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  return out ? Status() : system_error("write the generated model to", path);
}

// Runs a command with its output in a file; as run_program.
static int run(const std::vector<std::string>& command, const std::string& output_path) {
  const int output = ::open(output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (output < 0) return -1;
  const int status = run_program(command, {-1, output, output});
  const int error = errno;
  ::close(output);
  errno = error;
  return status;
}

static std::string first_lines(const std::string& path, int count) {
  std::ifstream in(path);
  std::string text;
  for (std::string text_line; count-- > 0 && std::getline(in, text_line);) text += "  " + text_line + "\n";
  return text;
}

static Status compile_to(const std::string& source_path, const std::string& object_path,
                         std::vector<std::string> command, const std::vector<std::string>& flags) {
  const std::string errors = object_path + ".log";
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-o", object_path, source_path});
  const int status = run(command, errors);
  Status result;
  if (status < 0) {
    result = system_error("run the C++ compiler", command[0]);
  } else if (WIFSIGNALED(status)) {
    // ^C reaches the compiler too; any other signal is its own trouble.
    const bool interrupted = WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM;
    result = Status(interrupted ? StatusCode::interrupted : StatusCode::system,
                    fmt::format("the C++ compiler '{}' was ended by signal {} ({})", command[0],
                                WTERMSIG(status), ::strsignal(WTERMSIG(status))));
  } else if (status != 0) {
    result =
        Status::system(fmt::format("the C++ compiler '{}' could not compile the generated model '{}':\n{}",
                                   command[0], source_path, first_lines(errors, 8)));
  }
  std::error_code ignored;
  fs::remove(errors, ignored);
  if (!result.ok()) fs::remove(object_path, ignored);
  return result;
}

namespace {

// An exclusive lock on a file, released when it goes out of scope.
class FileLock {
 public:
  explicit FileLock(const std::string& path) : fd_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
    if (fd_ >= 0)
      while (::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
      }
  }
  ~FileLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool held() const { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace

static bool reuse(const std::string& object) {
  if (::access(object.c_str(), R_OK) != 0) return false;
  ::utimensat(AT_FDCWD, object.c_str(), nullptr, 0);
  return true;
}

Result<CompiledObject> compile(const std::string& source, const std::string& cache_dir, bool fresh) {
  const std::vector<std::string> command = compiler_command();
  const std::string program = find_program(command[0]);
  if (program.empty())
    return Status::system(
        fmt::format("cannot compile the model: there is no C++ compiler '{}'; install one (Debian: "
                    "apt-get install g++) or name yours in the environment variable CXX",
                    command[0]));
  std::error_code error;
  fs::create_directories(cache_dir, error);
  if (Status s = check_owner(cache_dir); !s.ok()) return s;
  const std::string stem = cache_dir + "/" + cache_key(source, command, program);
  const std::string object = stem + ".so";
  if (!fresh && reuse(object)) return CompiledObject{object, true};
  const FileLock lock(stem + ".lock");
  if (!lock.held())
    return Status::system(system_error("write to the cache of compiled models", cache_dir).message() +
                          "; set XDG_CACHE_HOME to a folder you can write to");
  if (!fresh && reuse(object)) return CompiledObject{object, true};

  const std::string temporary = fmt::format("{}.{}.tmp", stem, ::getpid());
  if (Status s = write_file(stem + ".cc", source); !s.ok()) return s;
  if (Status s = compile_to(stem + ".cc", temporary, command, flags_for(source)); !s.ok()) return s;
  if (::rename(temporary.c_str(), object.c_str()) != 0)
    return system_error("store the compiled model as", object);
  fs::remove(stem + ".lock", error);
  trim_cache(cache_dir, kCacheLimit, object);
  return CompiledObject{object, false};
}

void trim_cache(const std::string& cache_dir, uint64_t limit, const std::string& keep) {
  struct Entry {
    fs::file_time_type time;
    uint64_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(cache_dir, error)) {
    const std::string extension = file.path().extension();
    if (extension != ".so" && extension != ".cc" && extension != ".tmp") continue;
    std::error_code gone;
    const uint64_t size = file.file_size(gone);
    if (gone) continue;
    total += size;
    entries.push_back({file.last_write_time(gone), size, file.path()});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& entry : entries) {
    if (total <= limit) return;
    if (entry.path == keep) continue;
    if (fs::remove(entry.path, error)) total -= entry.size;
  }
}

}  // namespace strata::native
