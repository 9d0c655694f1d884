// An estimate of the memory that reading a model takes: the tokens, the syntax tree and the program are many times
// larger than the text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/source.h"
#include "base/status.h"

namespace strata::lang {

// An estimate of the bytes needed to read a text; rarely too low.
uint64_t bytes_to_read(std::string_view text);

// An error if reading the text takes more than `memory`; the message says how much would be enough.
Status check_text_size(const std::string& path, std::string_view text, uint64_t memory);
// The same before the file is read, when only its size is known: at least the text itself must fit.
Status check_file_size(const std::string& path, uint64_t memory);

// The text for messages about run-time errors; null for one of more than 4 MiB, which would take memory.
std::shared_ptr<const SourceFile> text_to_keep(const SourceFile& file);

}  // namespace strata::lang
