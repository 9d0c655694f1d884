#include "device/cuda/code_sizes.h"

#include <elf.h>

#include <cstring>

namespace strata::device {

namespace {

// A struct of the file; false: the file ends before.
template <class T>
bool read(std::string_view image, uint64_t offset, T& to) {
  if (offset > image.size() || image.size() - offset < sizeof to) return false;
  std::memcpy(&to, image.data() + offset, sizeof to);
  return true;
}

std::string_view text_at(std::string_view image, uint64_t offset) {
  if (offset >= image.size()) return {};
  const std::string_view rest = image.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

std::map<std::string, uint64_t> code_sizes(std::string_view image) {
  constexpr std::string_view kText = ".text.";
  std::map<std::string, uint64_t> sizes;
  Elf64_Ehdr header;
  if (!read(image, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return sizes;
  const auto section_at = [&](uint64_t number, Elf64_Shdr& section) {
    return read(image, header.e_shoff + number * header.e_shentsize, section);
  };
  Elf64_Shdr names;
  if (!section_at(header.e_shstrndx, names)) return sizes;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!section_at(i, section)) return {};
    const std::string_view name = text_at(image, names.sh_offset + section.sh_name);
    if (name.substr(0, kText.size()) == kText) sizes.emplace(name.substr(kText.size()), section.sh_size);
  }
  return sizes;
}

}  // namespace strata::device
