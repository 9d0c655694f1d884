#include "base/process/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/process/signal_state.h"

namespace strata {
namespace {

using Place = SignalState::Leftover;
std::array<Place, 64>& places = signal_state.leftovers;

// The file by which a run folder is recognised when it is left behind; it goes last.
constexpr const char* kLock = "lock";
// Programs that we run make folders in their temporary folder, and nothing deeper.
constexpr int kDeepest = 3;

void remove_entries(int folder, int depth);

void remove_entry(int folder, const char* name, int depth) {
  if (::unlinkat(folder, name, 0) == 0 || errno != EISDIR) return;
  const bool dots = std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
  if (dots || depth == kDeepest) return;
  const int inner = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (inner < 0) return;
  remove_entries(inner, depth + 1);
  ::close(inner);
  ::unlinkat(folder, name, AT_REMOVEDIR);
}

void remove_entries(int folder, int depth) {
  alignas(dirent64) char entries[4096];
  for (ssize_t bytes; (bytes = ::getdents64(folder, entries, sizeof entries)) > 0;) {
    for (ssize_t at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      if (std::strcmp(entry->d_name, kLock) != 0) remove_entry(folder, entry->d_name, depth);
      at += entry->d_reclen;
    }
  }
}

// Everything but the lock.
void remove_content(const char* path) {
  const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (folder < 0) return;
  remove_entries(folder, 1);
  ::close(folder);
}

// A call that failed may work the next time, and threads that still run may make new files.
constexpr int kAttempts = 10;

bool remove_folder(const char* path, size_t length) {
  char lock[PATH_MAX + sizeof "/lock"];
  std::memcpy(lock, path, length);
  std::memcpy(lock + length, "/lock", sizeof "/lock");
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    remove_content(path);
    ::unlink(lock);
    if (::rmdir(path) == 0 || errno == ENOENT) return true;
  }
  return false;
}

bool remove(const char* path) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (::unlink(path) == 0 || errno == ENOENT) return true;
    if (errno == EISDIR) return remove_folder(path, std::strlen(path));
  }
  return false;
}

// A folder goes under another name first: threads that still run would put new files into it as fast as old
// ones go. The name is that of a folder left behind, in case this is ended too, and none that mkdtemp makes.
void remove_in_signal(const char* path) {
  if (::unlink(path) == 0 || errno == ENOENT) return;
  char doomed[PATH_MAX];
  const size_t length = std::strlen(path);
  std::memcpy(doomed, path, length + 1);
  doomed[length - 1] = '_';
  // Fails when another signal was first; then both remove what is there.
  ::rename(path, doomed);
  remove_folder(doomed, length);
}

}  // namespace

void enter_leftover(const std::string& path) {
  if (path.empty() || path.size() >= sizeof(Place::path)) return;
  for (Place& place : places) {
    Place::State state = Place::free;
    if (!place.state.compare_exchange_strong(state, Place::filling)) continue;
    std::memcpy(place.path, path.c_str(), path.size() + 1);
    place.state = Place::ready;
    return;
  }
}

void forget_leftover(const std::string& path) {
  for (Place& place : places) {
    if (place.state == Place::ready && path == place.path) place.state = Place::free;
  }
}

bool remove_leftover(const std::string& path) noexcept {
  return path.empty() || path.size() >= PATH_MAX || remove(path.c_str());
}

void remove_leftovers_in_signal() {
  for (const Place& place : places) {
    if (place.state == Place::ready) remove_in_signal(place.path);
  }
}

void remove_last_leftovers(void (*tell)(const char* path, const char* reason)) {
  for (Place& place : places) {
    if (place.state != Place::ready) continue;
    if (!remove(place.path)) tell(place.path, std::strerror(errno));
    place.state = Place::free;
  }
}

}  // namespace strata
