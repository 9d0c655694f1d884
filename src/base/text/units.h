// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

// "812 B", "1.5 KiB", "3.25 GiB": three significant digits, powers of 1024.
std::string bytes_text(uint64_t bytes);

// "24 MiB", "24.5 MiB": sizes as users give them, in MiB however large, with two decimals at most.
std::string mebibytes_text(uint64_t bytes);
// The same, rounded up to whole MiB, for sizes that must suffice.
std::string whole_mebibytes_text(uint64_t bytes);

// "882", "12.3 k", "1.05 M": three significant digits, powers of 1000; exact below 1000.
std::string count_text(double count);

}  // namespace strata
