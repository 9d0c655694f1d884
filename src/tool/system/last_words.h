// What a file says when the process ends at once, by a signal: a text that was made long before, because a
// signal handler can make none.
#pragma once

#include <string>

namespace strata {

// From now on the file at this path is to say this text then; with an empty path there is nothing to say. A
// path or text that is too long is not kept.
void set_last_words(const std::string& path, const std::string& text);

// Replaces the file as a whole. For a signal handler that then ends the process.
void say_last_words_in_signal();

// Removes the file instead: what ends the process is no interruption, and a file that was not filled goes.
// For the same.
void remove_last_words_in_signal();

}  // namespace strata
