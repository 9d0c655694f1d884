// The folder of a run that can be resumed, its images and its files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "block/checkpoint/checkpoint_folder.h"
#include "block/checkpoint/checkpoint_storage.h"
#include "block/checkpoint/image_file.h"
#include "block/io/block_buffer.h"
#include "block/record/block_format.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kFileBlock = 8192;

bool message_has(const Status& status, const std::string& text) {
  return status.message().find(text) != std::string::npos;
}

void damage_byte(const std::string& path, int64_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(offset);
  const auto byte = static_cast<char>(file.get() ^ 1);
  file.seekp(offset);
  file.put(byte);
}

// ---- images

class ImageTest : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/image"; }
  void serialize(Image& image) {
    image.value("number", number_);
    image.list("large", large_);
    image.list("text", text_);
    image.list("levels", levels_);
  }
  void write() {
    number_ = 42;
    large_.resize(700'000);
    std::iota(large_.begin(), large_.end(), 1u);
    text_ = "a text";
    levels_ = {1, 1000, 1'000'000};
    ImageWriter writer(path(), 7);
    serialize(writer);
    ASSERT_TRUE(writer.finish().ok());
    number_ = 0;
    large_.clear();
    text_.clear();
    levels_ = NumberList();
  }

  TemporaryFolder folder_;
  uint64_t number_ = 0;
  std::vector<uint32_t> large_;
  std::string text_;
  NumberList levels_;
};

TEST_F(ImageTest, IsReadAsItWasWritten) {
  write();
  ImageReader reader(path(), 7);
  ASSERT_TRUE(reader.verify().ok());
  serialize(reader);
  ASSERT_TRUE(reader.status().ok()) << reader.status().message();
  EXPECT_EQ(42u, number_);
  ASSERT_EQ(700'000u, large_.size());
  EXPECT_EQ(700'000u, large_.back());
  EXPECT_EQ("a text", text_);
  EXPECT_EQ((NumberList{1, 1000, 1'000'000}), levels_);
}

TEST_F(ImageTest, OneThatIsDamagedIsRefusedWithFileAndOffset) {
  write();
  damage_byte(path(), static_cast<int64_t>(kImageBlockBytes) + 1000);
  const Status status = ImageReader(path(), 7).verify();
  EXPECT_TRUE(message_has(status, path())) << status.message();
  EXPECT_TRUE(message_has(status, std::to_string(kImageBlockBytes))) << status.message();
}

TEST_F(ImageTest, OneThatIsCutIsRefused) {
  write();
  for (const uint64_t size : {uint64_t{0}, uint64_t{10}, kImageBlockBytes, kImageBlockBytes + 100}) {
    std::filesystem::resize_file(path(), size);
    EXPECT_FALSE(ImageReader(path(), 7).verify().ok()) << size;
    write();
  }
}

TEST_F(ImageTest, OneOfAnotherNumberIsRefused) {
  write();
  EXPECT_TRUE(message_has(ImageReader(path(), 8).verify(), "another place"));
}

TEST_F(ImageTest, AnotherNameOrLengthEndsIt) {
  write();
  ImageReader reader(path(), 7);
  uint32_t shorter = 5;
  reader.value("number", shorter);
  EXPECT_TRUE(message_has(reader.status(), "another version of Strata")) << reader.status().message();
  ImageReader other(path(), 7);
  other.value("nombre", number_);
  EXPECT_TRUE(message_has(other.status(), "'nombre' is not what is expected")) << other.status().message();
}

// ---- files

class CheckpointStorageTest : public testing::Test {
 protected:
  static std::unique_ptr<File> create(Storage& storage, const std::string& name) {
    auto file = storage.create(name, kFileBlock);
    EXPECT_TRUE(file.ok()) << file.status().message();
    return std::move(*file);
  }
  static void write(File& file, uint64_t block, uint8_t value) {
    const BlockBuffer buffer(kFileBlock);
    std::memset(buffer.data(), value, kFileBlock);
    Transfer transfer;
    file.write(block, buffer.data(), transfer);
    EXPECT_TRUE(transfer.wait().ok());
  }
  static int read(File& file, uint64_t block) {
    const BlockBuffer buffer(kFileBlock);
    Transfer transfer;
    file.read(block, buffer.data(), transfer);
    return transfer.wait().ok() ? buffer.data()[kFileBlock / 2] : -1;
  }
  std::string make(const std::string& name) const {
    std::filesystem::create_directory(folder_.path() + "/" + name);
    return folder_.path() + "/" + name;
  }
  static uint64_t count(const std::string& folder) {
    return static_cast<uint64_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
  }
  // A checkpoint of these files stands.
  void checkpoint(CheckpointStorage& storage, const std::vector<std::string>& names) {
    ImageWriter image(folder_.path() + "/image", 1);
    for (const std::string& name : names) storage.save(name, image);
    ASSERT_TRUE(image.finish().ok());
    ASSERT_TRUE(storage.sync().ok());
    storage.end_checkpoint();
  }

  TemporaryFolder folder_;
  DiskBudget budget_;
};

TEST_F(CheckpointStorageTest, WhatACheckpointHasStaysUntilTwoOthersStand) {
  const std::string files = make("files");
  CheckpointStorage storage({{files}}, budget_);
  create(storage, "a").reset();
  checkpoint(storage, {"a"});
  ASSERT_TRUE(storage.remove("a").ok());
  const auto again = create(storage, "a");
  EXPECT_EQ(2u, count(files));
  checkpoint(storage, {"a"});
  EXPECT_EQ(2u, count(files));
  checkpoint(storage, {"a"});
  // Then it is there for another one.
  EXPECT_EQ(2u, count(files));
  create(storage, "b").reset();
  EXPECT_EQ(2u, count(files));
  EXPECT_FALSE(storage.in_checkpoint("b"));
  checkpoint(storage, {"a", "b"});
  EXPECT_TRUE(storage.in_checkpoint("b"));
}

TEST_F(CheckpointStorageTest, WhatNoCheckpointHasGoesAtOnce) {
  const std::string files = make("files");
  CheckpointStorage storage({{files}}, budget_);
  write(*create(storage, "a"), 0, 1);
  EXPECT_EQ(kFileBlock, budget_.used());
  ASSERT_TRUE(storage.remove("a").ok());
  EXPECT_EQ(0u, count(files));
  EXPECT_EQ(0u, budget_.used());
}

TEST_F(CheckpointStorageTest, ARestoredFileHasItsBlocksAndNoOthers) {
  const std::string files = make("files");
  {
    CheckpointStorage storage({{files}}, budget_);
    const auto file = create(storage, "a");
    for (uint8_t block = 0; block < 10; ++block) write(*file, block, static_cast<uint8_t>(block + 1));
    checkpoint(storage, {"a"});
    write(*file, 10, 77);
    create(storage, "left").reset();
  }
  CheckpointStorage storage({{files}}, budget_);
  ImageReader image(folder_.path() + "/image", 1);
  auto file = storage.restore("a", kFileBlock, 8, 0, image);
  ASSERT_TRUE(file.ok()) << file.status().message();
  storage.remove_others();
  EXPECT_EQ(1u, count(files));
  EXPECT_EQ(8 * kFileBlock, budget_.used());
  for (uint8_t block = 0; block < 8; ++block) EXPECT_EQ(block + 1, read(**file, block));
  EXPECT_NE(9, read(**file, 8));
  write(**file, 8, 99);
  EXPECT_EQ(99, read(**file, 8));
  // Its name is not given to another one.
  create(storage, "b").reset();
  EXPECT_EQ(2u, count(files));
}

TEST_F(CheckpointStorageTest, ARunThatIsResumedGoesOnInOtherFolders) {
  const std::string one = make("one"), two = make("two"), three = make("three");
  {
    CheckpointStorage storage({{one}}, budget_);
    const auto file = create(storage, "a");
    for (uint8_t block = 0; block < 6; ++block) write(*file, block, static_cast<uint8_t>(block + 1));
    checkpoint(storage, {"a"});
  }
  {
    CheckpointStorage storage({{one}, {one, two}}, budget_);
    ImageReader image(folder_.path() + "/image", 1);
    const auto file = storage.restore("a", kFileBlock, 6, 0, image);
    ASSERT_TRUE(file.ok());
    for (uint8_t block = 6; block < 12; ++block) write(**file, block, static_cast<uint8_t>(block + 1));
    checkpoint(storage, {"a"});
  }
  CheckpointStorage storage({{one}, {one, two}, {one, two, three}}, budget_);
  ImageReader image(folder_.path() + "/image", 1);
  const auto file = storage.restore("a", kFileBlock, 11, 2, image);
  ASSERT_TRUE(file.ok());
  for (uint8_t block = 11; block < 16; ++block) write(**file, block, static_cast<uint8_t>(block + 1));
  for (uint8_t block = 2; block < 16; ++block) EXPECT_EQ(block + 1, read(**file, block)) << int{block};
  EXPECT_EQ(14 * kFileBlock, budget_.used());
}

// A sealed block of another run, or of a copy of this run that went on by itself, is not taken for one of this file.
TEST_F(CheckpointStorageTest, EachProcessMarksItsBlocks) {
  const std::string files = make("files"), copy = make("copy");
  const BlockBuffer buffer(kFileBlock);
  std::memset(buffer.data(), 7, kFileBlock);
  const auto seal = [&](File& file, uint64_t block) {
    seal_block(buffer.data(), 100, file, block, 5);
    Transfer transfer;
    file.write(block, buffer.data(), transfer);
    EXPECT_TRUE(transfer.wait().ok());
  };
  const auto is_own = [&](File& file, uint64_t block) {
    Transfer transfer;
    file.read(block, buffer.data(), transfer);
    return transfer.wait().ok() && verify_block(buffer.data(), file, block, 5).ok();
  };
  {
    CheckpointStorage storage({{files}}, budget_);
    const auto file = create(storage, "a");
    seal(*file, 0);
    seal(*file, 1);
    EXPECT_TRUE(is_own(*file, 1));
    checkpoint(storage, {"a"});
  }
  std::filesystem::copy(files, copy);
  // Both go on from the checkpoint, which has one block.
  for (const std::string& folder : {files, copy}) {
    CheckpointStorage storage({{folder}}, budget_);
    ImageReader image(folder_.path() + "/image", 1);
    const auto file = storage.restore("a", kFileBlock, 1, 0, image);
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(is_own(**file, 0));
    EXPECT_FALSE(is_own(**file, 1));
    seal(**file, 1);
    EXPECT_TRUE(is_own(**file, 1));
    if (folder == copy) checkpoint(storage, {"a"});
  }
  for (const std::string& folder : {files, copy}) {
    CheckpointStorage storage({{folder}}, budget_);
    ImageReader image(folder_.path() + "/image", 1);
    const auto file = storage.restore("a", kFileBlock, 2, 0, image);
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(is_own(**file, 0));
    EXPECT_EQ(folder == copy, is_own(**file, 1)) << folder;
  }
}

// ---- the folder

class CheckpointFolderTest : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/run"; }
  TemporaryFolder folder_;
};

TEST_F(CheckpointFolderTest, IsItsOwnersAlone) {
  const auto folder = CheckpointFolder::create(path(), {}, "a run");
  ASSERT_TRUE(folder.ok()) << folder.status().message();
  struct stat about {};
  ASSERT_EQ(0, ::stat(path().c_str(), &about));
  EXPECT_EQ(0700u, about.st_mode & 0777);
}

TEST_F(CheckpointFolderTest, IsUsedByOneProcessAtATime) {
  const auto folder = CheckpointFolder::create(path(), {}, "a run");
  ASSERT_TRUE(folder.ok());
  const auto second = CheckpointFolder::open(path(), {}, CheckpointFolder::From::last);
  ASSERT_FALSE(second.ok());
  EXPECT_TRUE(message_has(second.status(), "is in use by process ")) << second.status().message();
}

TEST_F(CheckpointFolderTest, KnowsWhichImageStands) {
  {
    const auto folder = CheckpointFolder::create(path(), {}, "a run");
    ASSERT_TRUE(folder.ok());
    EXPECT_EQ(0u, (*folder)->number());
    for (int i = 0; i < 3; ++i) {
      std::ofstream((*folder)->next_image()) << "image";
      ASSERT_TRUE((*folder)->stand().ok());
    }
  }
  {
    const auto folder = CheckpointFolder::open(path(), {}, CheckpointFolder::From::last);
    ASSERT_TRUE(folder.ok()) << folder.status().message();
    EXPECT_EQ(3u, (*folder)->number());
    EXPECT_TRUE((*folder)->has_previous());
    EXPECT_FALSE(std::filesystem::exists(path() + "/image.1"));
    EXPECT_TRUE(std::filesystem::exists(path() + "/image.2"));
  }
  const auto folder = CheckpointFolder::open(path(), {}, CheckpointFolder::From::previous);
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(2u, (*folder)->number());
  ASSERT_TRUE((*folder)->forget_previous().ok());
  EXPECT_FALSE(std::filesystem::exists(path() + "/image.3"));
  EXPECT_EQ("a run", *CheckpointFolder::read_run(path()));
}

TEST_F(CheckpointFolderTest, LeavesNothingWhenTheRunIsOver) {
  std::filesystem::create_directory(folder_.path() + "/disk");
  const auto folder = CheckpointFolder::create(path(), {folder_.path() + "/disk"}, "a run");
  ASSERT_TRUE(folder.ok());
  (*folder)->reserve(100'000);
  std::ofstream((*folder)->next_image()) << "image";
  ASSERT_TRUE((*folder)->stand().ok());
  (*folder)->remove();
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() + "/disk"));
}

TEST_F(CheckpointFolderTest, RefusesWhatIsNoRunAndWhatHoldsOne) {
  EXPECT_TRUE(
      message_has(CheckpointFolder::open(path(), {}, CheckpointFolder::From::last).status(), "holds no run"));
  CheckpointFolder::create(path(), {}, "a run").status().ok();
  EXPECT_TRUE(message_has(CheckpointFolder::create(path(), {}, "a run").status(), "strata resume"));
  const std::string other = folder_.path() + "/other";
  std::filesystem::create_directory(other);
  std::ofstream(other + "/file") << "x";
  EXPECT_TRUE(message_has(CheckpointFolder::create(other, {}, "a run").status(), "not an empty folder"));
}

TEST_F(CheckpointFolderTest, FoldersThatWereMovedAreFound) {
  const std::string disk = folder_.path() + "/disk", moved = folder_.path() + "/moved";
  std::filesystem::create_directory(disk);
  ASSERT_TRUE(CheckpointFolder::create(path(), {disk}, "a run").ok());
  std::filesystem::rename(disk, moved);
  const auto lost = CheckpointFolder::open(path(), {}, CheckpointFolder::From::last);
  EXPECT_TRUE(message_has(lost.status(), "name their folder with --disk")) << lost.status().message();
  const auto found = CheckpointFolder::open(path(), {moved}, CheckpointFolder::From::last);
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(1u, (*found)->eras().size());
  EXPECT_TRUE((*found)->eras()[0][1].starts_with(moved));
}

TEST_F(CheckpointFolderTest, FurtherFoldersBeginAnEra) {
  const std::string disk = folder_.path() + "/disk";
  std::filesystem::create_directory(disk);
  ASSERT_TRUE(CheckpointFolder::create(path(), {}, "a run").ok());
  const auto opened = CheckpointFolder::open(path(), {disk}, CheckpointFolder::From::last);
  ASSERT_TRUE(opened.ok());
  ASSERT_EQ(2u, (*opened)->eras().size());
  EXPECT_EQ(1u, (*opened)->eras()[0].size());
  EXPECT_EQ(1u, (*opened)->eras()[1].size());
}

TEST_F(CheckpointFolderTest, FilesOfAnotherRunAreRefused) {
  const std::string other = folder_.path() + "/other";
  for (const std::string& one : {path(), other}) {
    const auto folder = CheckpointFolder::create(one, {}, "the run in " + one);
    ASSERT_TRUE(folder.ok());
    ImageWriter image((*folder)->next_image(), (*folder)->image_stamp(1));
    ASSERT_TRUE(image.finish().ok());
    ASSERT_TRUE((*folder)->stand().ok());
  }
  std::filesystem::copy_file(other + "/image.1", path() + "/image.1",
                             std::filesystem::copy_options::overwrite_existing);
  {
    const auto folder = CheckpointFolder::open(path(), {}, CheckpointFolder::From::last);
    ASSERT_TRUE(folder.ok());
    EXPECT_TRUE(message_has(ImageReader((*folder)->image(), (*folder)->image_stamp(1)).verify(),
                            "it belongs to another place or to another run"));
  }
  EXPECT_EQ("the run in " + path(), *CheckpointFolder::read_run(path()));
  std::filesystem::copy_file(other + "/run", path() + "/run",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(message_has(CheckpointFolder::read_run(path()).status(), "or belongs to another run"));
}

TEST_F(CheckpointFolderTest, ALineBreakInTheNameOfAFolderIsKept) {
  const std::string disk = folder_.path() + "/a\nfolder: b\\n\\";
  std::filesystem::create_directory(disk);
  ASSERT_TRUE(CheckpointFolder::create(path(), {disk}, "a run").ok());
  const auto found = CheckpointFolder::open(path(), {}, CheckpointFolder::From::last);
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_TRUE((*found)->eras()[0][1].starts_with(disk));
}

TEST_F(CheckpointFolderTest, ADamagedListIsRefused) {
  ASSERT_TRUE(CheckpointFolder::create(path(), {}, "a run").ok());
  damage_byte(path() + "/checkpoint", 30);
  EXPECT_TRUE(message_has(CheckpointFolder::open(path(), {}, CheckpointFolder::From::last).status(),
                          "its sum is wrong"));
}

}  // namespace
}  // namespace strata
