#include "tool/system/last_words.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/process/signal_state.h"

namespace strata {
namespace {

SignalState::LastWords& words = signal_state.last_words;

bool copy(const std::string& from, char* to, size_t room) {
  if (from.size() >= room) return false;
  std::memcpy(to, from.c_str(), from.size() + 1);
  return true;
}

bool write_text(int descriptor) {
  const size_t size = std::strlen(words.text);
  return write(descriptor, words.text, size) == static_cast<ssize_t>(size);
}

}  // namespace

void set_last_words(const std::string& path, const std::string& text) {
  words.ready = false;
  words.ready = !path.empty() && copy(path, words.path, sizeof words.path) &&
                copy(path + ".last", words.beside, sizeof words.beside) &&
                copy(text, words.text, sizeof words.text);
}

void say_last_words_in_signal() {
  if (!words.ready) return;
  const int descriptor = open(words.beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) return;
  const bool written = write_text(descriptor) && fsync(descriptor) == 0;
  close(descriptor);
  if (!written || rename(words.beside, words.path) != 0) unlink(words.beside);
}

void remove_last_words_in_signal() {
  if (words.ready) unlink(words.path);
}

}  // namespace strata
