#include "device/cuda/code_sizes.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace strata::device {
namespace {

// A file with a section of each name, of 16, 32, ... bytes.
std::string image_with(const std::vector<std::string>& names) {
  std::string texts(1, '\0');
  std::vector<Elf64_Shdr> sections;
  for (const std::string& name : names) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<Elf64_Word>(texts.size());
    section.sh_size = 16 * (sections.size() + 1);
    sections.push_back(section);
    texts += name + '\0';
  }
  Elf64_Shdr strings{};
  strings.sh_offset = sizeof(Elf64_Ehdr);
  strings.sh_size = texts.size();
  sections.push_back(strings);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shoff = sizeof header + texts.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shstrndx = static_cast<Elf64_Half>(sections.size() - 1);
  std::string image(reinterpret_cast<const char*>(&header), sizeof header);
  image += texts;
  image.append(reinterpret_cast<const char*>(sections.data()), sections.size() * sizeof(Elf64_Shdr));
  return image;
}

TEST(CodeSizes, AreThoseOfTheSectionsWithCode) {
  const auto sizes = code_sizes(image_with({".strtab", ".text.expand", ".nv.info.expand", ".text.advance"}));
  EXPECT_EQ(sizes, (std::map<std::string, uint64_t>{{"expand", 32}, {"advance", 64}}));
}

TEST(CodeSizes, OtherFilesHaveNone) {
  EXPECT_TRUE(code_sizes("").empty());
  EXPECT_TRUE(code_sizes(".version 8.0\n.target sm_90\n").empty());
}

TEST(CodeSizes, APartOfAFileIsReadAsFarAsThereIs) {
  const std::string image = image_with({".text.expand"});
  for (size_t bytes = 0; bytes < image.size(); ++bytes)
    EXPECT_LE(code_sizes(image.substr(0, bytes)).size(), 1U);
  std::string wild = image;
  wild.replace(offsetof(Elf64_Ehdr, e_shoff), 8, 8, '\xff');
  EXPECT_TRUE(code_sizes(wild).empty());
}

}  // namespace
}  // namespace strata::device
