// line_reader.h without libedit.
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "tool/step/line_reader.h"

namespace strata {

LineReader::LineReader(std::vector<std::string>) : interactive_(::isatty(STDIN_FILENO) == 1) {}

std::optional<std::string> LineReader::read(const std::string& prompt) {
  if (interactive_) {
    std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
  }
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

}  // namespace strata
