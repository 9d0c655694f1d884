#include "base/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace strata {

bool is_terminal(std::FILE* file) { return isatty(fileno(file)) == 1; }

size_t terminal_columns(std::FILE* file) {
  winsize size{};
  if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace strata
