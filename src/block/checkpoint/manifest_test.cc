// A manifest is read as it was written, or refused: whatever is cut off, changed, or put in its place.
#include "block/checkpoint/manifest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "base/text/hash_text.h"

namespace strata {
namespace {

CheckpointManifest example() {
  CheckpointManifest manifest;
  manifest.id = "0123456789abcdef";
  manifest.run_hash = "fedcba9876543210";
  manifest.number = 12;
  manifest.previous = 10;
  manifest.next = 13;
  manifest.folders = {"/disk/one", "/with \"quotes\" and 'more'", "/line\nbreak\\n\\", "/not \xff\xfe UTF-8",
                      "/sum: 12"};
  manifest.eras = {{0}, {0, 1, 2}, {5}};
  return manifest;
}

// With a sum that is right.
std::string sealed(const std::string& lines) { return lines + "sum: " + hash_text(lines) + "\n"; }
std::string lines_of(const CheckpointManifest& manifest) {
  const std::string text = manifest.text();
  return text.substr(0, text.rfind("sum: "));
}

void expect_same(const CheckpointManifest& a, const CheckpointManifest& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.run_hash, b.run_hash);
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.previous, b.previous);
  EXPECT_EQ(a.next, b.next);
  EXPECT_EQ(a.folders, b.folders);
  EXPECT_EQ(a.eras, b.eras);
}

TEST(ManifestTest, IsReadAsItWasWritten) {
  const Result<CheckpointManifest> read = parse_manifest(example().text(), "run/checkpoint");
  ASSERT_TRUE(read.ok()) << read.status().message();
  expect_same(example(), *read);
}

TEST(ManifestTest, OddPathsAreKept) {
  Random random(5);
  const std::string letters = "/ab \n\\n\"':\t\r\xff\x80=#";
  for (int round = 0; round < 2000; ++round) {
    CheckpointManifest manifest = example();
    manifest.folders.clear();
    for (int i = 0; i < 5; ++i) {
      std::string& folder = manifest.folders.emplace_back("/");
      for (uint64_t length = random.below(12); length > 0; --length)
        folder += letters[random.below(letters.size())];
    }
    const Result<CheckpointManifest> read = parse_manifest(manifest.text(), "run/checkpoint");
    ASSERT_TRUE(read.ok()) << manifest.text();
    expect_same(manifest, *read);
  }
}

TEST(ManifestTest, APartIsRefused) {
  const std::string text = example().text();
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(parse_manifest(text.substr(0, length), "run/checkpoint").ok()) << length;
    EXPECT_FALSE(parse_manifest(text.substr(length + 1), "run/checkpoint").ok()) << length;
  }
}

std::string mutated(std::string text, Random& random) {
  for (uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
    const size_t at = random.below(text.size());
    switch (random.below(5)) {
      case 0: text[at] = static_cast<char>(random.below(256)); break;
      case 1: text.erase(at, 1 + random.below(8)); break;
      case 2: text.insert(at, text.substr(random.below(text.size()), 1 + random.below(20))); break;
      case 3: text.insert(at, 1, "0123456789 \n-+:x"[random.below(16)]); break;
      default: text = text.substr(0, at) + text; break;
    }
    if (text.empty()) text = "x";
  }
  return text;
}

TEST(ManifestTest, AChangedTextIsRefused) {
  Random random(1);
  const std::string text = example().text();
  for (int round = 0; round < 5000; ++round) {
    const std::string other = mutated(text, random);
    EXPECT_TRUE(other == text || !parse_manifest(other, "run/checkpoint").ok()) << other;
  }
}

// Where the sum is right too, the lines are refused, or they are those of the manifest that is read.
TEST(ManifestTest, AChangedTextWithItsSumIsNeverMisread) {
  Random random(2);
  const std::string lines = lines_of(example());
  int accepted = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::string text = sealed(mutated(lines, random));
    const Result<CheckpointManifest> read = parse_manifest(text, "run/checkpoint");
    if (!read.ok()) continue;
    ++accepted;
    EXPECT_EQ(text, read->text());
    EXPECT_LT(read->number, read->next);
    for (const std::vector<uint64_t>& era : read->eras)
      for (const uint64_t folder : era) EXPECT_LE(folder, read->folders.size());
  }
  EXPECT_GT(accepted, 100);  // other numbers and other paths
}

TEST(ManifestTest, NumbersThatDoNotFitTogetherAreRefused) {
  const auto refused = [](const auto& change) {
    CheckpointManifest manifest = example();
    change(manifest);
    const Result<CheckpointManifest> read = parse_manifest(manifest.text(), "run/checkpoint");
    return read.ok() ? "" : read.status().message();
  };
  const std::string damaged = "run/checkpoint: it is damaged: its lines are not those of a checkpoint";
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.eras.clear(); }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.eras.push_back({}); }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.eras.push_back({6}); }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.previous = m.number; }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.next = m.number; }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.folders[0] = "relative"; }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.folders[0] = ""; }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.id = "short"; }));
  EXPECT_EQ(damaged, refused([](CheckpointManifest& m) { m.run_hash += "0"; }));
}

TEST(ManifestTest, ANumberThatIsNoneIsRefused) {
  for (const char* number : {"", " 12", "+12", "-12", "012", "12 ", "0x12", "18446744073709551616", "12,"}) {
    std::string lines = lines_of(example());
    lines.replace(lines.find("number: 12") + 8, 2, number);
    EXPECT_FALSE(parse_manifest(sealed(lines), "run/checkpoint").ok()) << number;
  }
}

TEST(ManifestTest, AnotherFormatIsNamed) {
  std::string text = example().text();
  text.replace(text.find('2'), 1, "31");
  EXPECT_EQ(
      "run/checkpoint: it has the format 31, and this version of Strata reads 2; resume the run with the "
      "version "
      "that began it",
      parse_manifest(text, "run/checkpoint").status().message());
}

}  // namespace
}  // namespace strata
