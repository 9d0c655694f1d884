#include "tool/system/console.h"

#include <cerrno>
#include <cstring>

namespace strata {

Status Console::flush() const {
  if (std::fflush(text_) == 0 && std::ferror(text_) == 0) return {};
  return Status::system(std::string("cannot write the output: ") + std::strerror(errno));
}

void Console::put(void* context, const char* text, uint64_t length) {
  std::fwrite(text, 1, length, static_cast<const Console*>(context)->text_);
}

void print_note(const std::string& note) {
  if (!note.empty()) std::fputs(("strata: note: " + note + "\n").c_str(), stderr);
}

int status_exit_code(StatusCode code) {
  switch (code) {
    case StatusCode::ok: return 0;
    case StatusCode::usage: return 151;
    case StatusCode::model: return 150;
    case StatusCode::limit: return 152;
    case StatusCode::disk_full: return 152;
    case StatusCode::interrupted: return 130;
    case StatusCode::system: return 153;
    case StatusCode::internal: return 153;
  }
  return 153;
}

std::string status_text(const Status& status) {
  std::string text = status.message();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (status.code() == StatusCode::internal) {
    return "strata: " + text +
           "\nThis is a bug in Strata, not in your model: please report it, with the model and the "
           "command.\n";
  }
  return (status.code() == StatusCode::model ? "" : "strata: ") + text + "\n";
}

int fail(const Status& status) {
  std::fflush(stdout);
  const std::string text = status_text(status);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return status_exit_code(status.code());
}

}  // namespace strata
