// What reading a model takes, by its text: the tokens, the syntax tree and the program made of it are many
// times larger than the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace strata::lang {

// About how many bytes it takes to read a text; hardly ever less.
uint64_t bytes_to_read(std::string_view text);

// A limit when reading the text takes more than the memory; the message says how much would do.
Status check_text_size(const std::string& path, std::string_view text, uint64_t memory);
// The same before the file is in memory: then all that is known is its size, and that the text alone has to fit twice.
Status check_file_size(const std::string& path, uint64_t memory);

}  // namespace strata::lang
