// line_reader.h where libedit is installed.
#include <editline/readline.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include "tool/step/line_reader.h"

namespace strata {
namespace {

std::vector<std::string>& known_words() {
  static std::vector<std::string> words;
  return words;
}

// libedit asks for the words one by one, and frees them.
char* next_word(const char* begin, int state) {
  static size_t place = 0;
  if (state == 0) place = 0;
  const std::vector<std::string>& words = known_words();
  while (place < words.size()) {
    const std::string& word = words[place++];
    if (word.starts_with(begin)) return ::strdup(word.c_str());
  }
  return nullptr;
}

char** complete(const char* begin, int, int) {
  ::rl_attempted_completion_over = 1;  // no names of files
  return ::rl_completion_matches(begin, next_word);
}

}  // namespace

LineReader::LineReader(std::vector<std::string> words) : interactive_(::isatty(STDIN_FILENO) == 1) {
  known_words() = std::move(words);
  if (!interactive_) return;
  ::using_history();
  ::rl_attempted_completion_function = complete;
}

std::optional<std::string> LineReader::read(const std::string& prompt) {
  if (interactive_) {
    char* const typed = ::readline(prompt.c_str());
    if (typed == nullptr) return std::nullopt;
    std::string line(typed);
    std::free(typed);
    if (!line.empty()) ::add_history(line.c_str());
    return line;
  }
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

}  // namespace strata
