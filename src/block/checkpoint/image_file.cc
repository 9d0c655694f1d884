#include "block/checkpoint/image_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/system/plain_file.h"
#include "block/io/file_error.h"
#include "block/record/block_format.h"

namespace strata {

namespace {

Status image_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

}  // namespace

// ---- ImageWriter

ImageWriter::ImageWriter(std::string path, uint64_t stamp)
    : Image(Mode::saves), path_(std::move(path)), stamp_(stamp), buffer_(kImageBlockBytes) {
  file_ = make_plain(path_);
  if (file_ < 0) fail(image_error(path_, "creating"));
}

ImageWriter::~ImageWriter() {
  if (file_ >= 0) ::close(file_);
}

Status ImageWriter::write(const uint8_t* data, uint64_t n) {
  while (n > 0) {
    const uint64_t part = std::min(n, payload_bytes(kImageBlockBytes) - filled_);
    std::memcpy(buffer_.data() + kBlockHeaderBytes + filled_, data, part);
    filled_ += part;
    data += part;
    n -= part;
    if (filled_ < payload_bytes(kImageBlockBytes)) break;
    if (Status status = flush(); !status.ok()) return status;
  }
  return {};
}

Status ImageWriter::flush() {
  seal_block(buffer_.data(), filled_, block_++, stamp_);
  const uint64_t bytes = kBlockHeaderBytes + std::exchange(filled_, 0);
  for (uint64_t done = 0; done < bytes;) {
    const ssize_t n = ::write(file_, buffer_.data() + done, bytes - done);
    if (n > 0) done += static_cast<uint64_t>(n);
    if (n < 0 && errno != EINTR) return image_error(path_, "writing");
  }
  return {};
}

Status ImageWriter::finish() {
  if (ok()) fail(flush());
  if (ok() && ::fsync(file_) != 0) fail(image_error(path_, "fsync"));
  return status();
}

// ---- ImageReader

ImageReader::ImageReader(std::string path, uint64_t stamp)
    : Image(Mode::restores), path_(std::move(path)), stamp_(stamp), buffer_(kImageBlockBytes) {
  const Result<int> opened = open_plain(path_);
  fail(opened.status());
  file_ = opened.ok() ? *opened : -1;
  struct stat about {};
  if (ok() && ::fstat(file_, &about) != 0) fail(image_error(path_, "opening"));
  size_ = static_cast<uint64_t>(about.st_size);
}

ImageReader::~ImageReader() {
  if (file_ >= 0) ::close(file_);
}

std::string ImageReader::where() const {
  return fmt::format(
      "{}, offset {}", path_,
      (block_ - std::min<uint64_t>(block_, 1)) * kImageBlockBytes + kBlockHeaderBytes + place_);
}

Status ImageReader::next_block() {
  const uint64_t offset = block_ * kImageBlockBytes;
  uint64_t got = 0;
  while (got < kImageBlockBytes) {
    const ssize_t n =
        ::pread(file_, buffer_.data() + got, kImageBlockBytes - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return image_error(path_, "reading");
    if (n == 0) break;
    got += static_cast<uint64_t>(n);
  }
  const Result<uint64_t> used = [&]() -> Result<uint64_t> {
    if (got < kBlockHeaderBytes)
      return Status::system(fmt::format("{}: it ends at offset {}, before its end", path_, offset + got));
    // The part of the buffer that is not read must not keep the block before.
    std::memset(buffer_.data() + got, 0, kImageBlockBytes - got);
    return verify_block(buffer_.data(), BlockPlace{path_, offset, kImageBlockBytes}, block_, stamp_);
  }();
  if (!used.ok()) return used.status();
  ++block_;
  place_ = 0;
  end_ = *used;
  return {};
}

Status ImageReader::verify() {
  while (ok()) {
    fail(next_block());
    if (ok() && end_ < payload_bytes(kImageBlockBytes)) break;
  }
  block_ = place_ = end_ = 0;
  return status();
}

Status ImageReader::read(uint8_t* data, uint64_t n) {
  while (n > 0) {
    if (place_ == end_) {
      if (block_ > 0 && end_ < payload_bytes(kImageBlockBytes))
        return Status::system(fmt::format("{}: it ends too early", where()));
      if (Status status = next_block(); !status.ok()) return status;
      continue;
    }
    const uint64_t part = std::min(n, end_ - place_);
    std::memcpy(data, buffer_.data() + kBlockHeaderBytes + place_, part);
    place_ += part;
    data += part;
    n -= part;
  }
  return {};
}

}  // namespace strata
