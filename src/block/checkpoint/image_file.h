// An Image in a file of blocks (block/record/block_format.h), written and read from front to back. The stamp of its
// blocks is made of its run's id and its number (CheckpointFolder::image_stamp). Only the last block is not full.
#pragma once

#include <string>
#include <vector>

#include "base/image/image.h"

namespace strata {

constexpr uint64_t kImageBlockBytes = uint64_t{1} << 20;

class ImageWriter final : public Image {
 public:
  // Makes the file; status() says whether that worked.
  ImageWriter(std::string path, uint64_t stamp);
  ~ImageWriter() override;

  // Writes the rest, and waits until the image survives a loss of power.
  Status finish();
  uint64_t bytes_written() const { return block_ * kImageBlockBytes; }

 protected:
  Status write(const uint8_t* data, uint64_t n) override;
  Status read(uint8_t*, uint64_t) override { return Status::internal("an image that saves is not read"); }
  uint64_t left() const override { return 0; }
  std::string where() const override { return path_; }

 private:
  Status flush();

  const std::string path_;
  const uint64_t stamp_;
  int file_ = -1;
  std::vector<uint8_t> buffer_;
  uint64_t filled_ = 0, block_ = 0;
};

class ImageReader final : public Image {
 public:
  ImageReader(std::string path, uint64_t stamp);
  ~ImageReader() override;

  // Reads the whole image, then returns to its beginning. An error names the first damaged block.
  Status verify();

 protected:
  Status write(const uint8_t*, uint64_t) override {
    return Status::internal("an image that restores is not written");
  }
  Status read(uint8_t* data, uint64_t n) override;
  uint64_t left() const override { return size_; }
  std::string where() const override;

 private:
  Status next_block();

  const std::string path_;
  const uint64_t stamp_;
  int file_ = -1;
  uint64_t size_ = 0;
  std::vector<uint8_t> buffer_;
  uint64_t place_ = 0, end_ = 0, block_ = 0;  // within the block that was read; the next one
};

}  // namespace strata
