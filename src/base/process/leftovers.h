// Folders and files that must not outlive this process. Their owners remove them; if a signal ends the process
// immediately, its handler does. (Leftovers of SIGKILL are found by the next run.)
#pragma once

#include <string>
#include <utility>

namespace strata {

// Registers a path. If too many are registered, or the path is too long, it is not registered, and is left behind.
void enter_leftover(const std::string& path);
void forget_leftover(const std::string& path);

// Removes a file, or a folder with its content, whether registered or not; retries calls that fail. Allocates nothing,
// so that destructors can call it. False: something is left, and errno says why.
bool remove_leftover(const std::string& path) noexcept;

// Removes all registered paths. For signal handlers that then end the process: it allocates nothing and takes no lock,
// and other threads may still be writing.
void remove_leftovers_in_signal();

// Call at the end of the process, when no owner is left: tries once more to remove registered paths, and reports those
// that remain.
void remove_last_leftovers(void (*tell)(const char* path, const char* reason));

// Registers a path for the lifetime of this object.
class Leftover {
 public:
  explicit Leftover(std::string path) : path_(std::move(path)) { enter_leftover(path_); }
  ~Leftover() { forget_leftover(path_); }
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace strata
