// Folders and files that must not outlive this process. Their owners remove them; a signal that ends the
// process at once does it in their place. (What SIGKILL leaves is for the next run to find.)
#pragma once

#include <string>
#include <utility>

namespace strata {

// Known from now on. When there are too many, or the path is too long, it is not, and is left behind.
void enter_leftover(const std::string& path);
void forget_leftover(const std::string& path);

// Removes a file, or a folder with what is in it, whether it is known or not. A call that fails is tried
// again. It allocates nothing, so that a destructor can call it. False: something is left, and errno says
// why.
bool remove_leftover(const std::string& path) noexcept;

// Removes all of them. For a signal handler that then ends the process: it allocates nothing and takes no
// lock, and other threads may still be writing.
void remove_leftovers_in_signal();

// At the end of the process, when no owner is left: tries once more to remove what is still known, and tells
// of what stays.
void remove_last_leftovers(void (*tell)(const char* path, const char* reason));

// Known as long as this lives.
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
