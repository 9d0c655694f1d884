// The content of a report file when a signal ends the process at once. The text is made long before, because a signal
// handler cannot format text.
#pragma once

#include <string>

namespace strata {

// Sets the file and its text; an empty path means no file. A path or text that is too long is dropped.
void set_last_words(const std::string& path, const std::string& text);

// Replaces the file as a whole. For signal handlers that then end the process.
void say_last_words_in_signal();

// Removes the file instead, when the process ends for another reason than an interruption. For signal handlers too.
void remove_last_words_in_signal();

}  // namespace strata
