#include "tool/system/last_words.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/process/signal_state.h"

namespace strata {
namespace {

SignalState::LastWords& to_be_said = signal_state.last_words;

bool copy(const std::string& from, char* to, size_t room) {
  if (from.size() >= room) return false;
  std::memcpy(to, from.c_str(), from.size() + 1);
  return true;
}

bool write_text(int descriptor) {
  const size_t size = std::strlen(to_be_said.text);
  return write(descriptor, to_be_said.text, size) == static_cast<ssize_t>(size);
}

}  // namespace

void set_last_words(const std::string& path, const std::string& text) {
  to_be_said.ready = false;
  to_be_said.ready = !path.empty() && copy(path, to_be_said.path, sizeof to_be_said.path) &&
                     copy(path + ".last", to_be_said.beside, sizeof to_be_said.beside) &&
                     copy(text, to_be_said.text, sizeof to_be_said.text);
}

void say_last_words_in_signal() {
  if (!to_be_said.ready) return;
  const int descriptor = open(to_be_said.beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) return;
  const bool written = write_text(descriptor) && fsync(descriptor) == 0;
  close(descriptor);
  if (!written || rename(to_be_said.beside, to_be_said.path) != 0) unlink(to_be_said.beside);
}

void remove_last_words_in_signal() {
  if (to_be_said.ready) unlink(to_be_said.path);
}

}  // namespace strata
