// How long the kernels of an image are, which the driver does not tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace strata::device {

// The bytes of the code of each kernel, with the functions that it calls: the sizes of the sections .text.NAME of an
// image for one architecture, which is an ELF file of 64 bits. Empty for others, such as PTX, and for a damaged one.
std::map<std::string, uint64_t> code_sizes(std::string_view image);

}  // namespace strata::device
