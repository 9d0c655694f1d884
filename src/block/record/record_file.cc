#include "block/record/record_file.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {

Status no_room() {
  return Status::limit("the memory budget has no room for the buffers of a file; raise --memory");
}

}  // namespace

// ---- RecordWriter

Status RecordWriter::open() {
  if (buffers_.count() == 0) return no_room();
  const uint64_t per_block = file_.records_per_block();
  block_ = file_.size() / per_block;
  filled_ = file_.size() % per_block;
  if (filled_ == 0) return {};
  file_.file().read(block_, buffers_[0], transfers_[0]);
  if (const Status& status = transfers_[0].wait(waited_); !status.ok()) return status;
  return verify_block(buffers_[0], file_.file(), block_, file_.stamp()).status();
}

Status RecordWriter::append(const uint8_t* records, uint64_t n) {
  const uint64_t bytes = file_.record_bytes(), per_block = file_.records_per_block();
  while (n > 0) {
    const uint64_t part = std::min(n, per_block - filled_);
    std::memcpy(payload() + filled_ * bytes, records, part * bytes);
    filled_ += part;
    records += part * bytes;
    n -= part;
    if (filled_ < per_block) break;
    if (Status status = flush(); !status.ok()) return status;
  }
  return {};
}

// Writes the current block and continues in the next buffer.
Status RecordWriter::flush() {
  seal_block(buffers_[current_], filled_ * file_.record_bytes(), file_.file(), block_, file_.stamp());
  file_.file().write(block_, buffers_[current_], transfers_[current_]);
  file_.size_ = block_ * file_.records_per_block() + filled_;
  ++block_;
  filled_ = 0;
  current_ = (current_ + 1) % buffers_.count();
  return transfers_[current_].wait(waited_);
}

Status RecordWriter::close() {
  if (filled_ > 0) {
    if (Status status = flush(); !status.ok()) return status;
  }
  Status first;
  for (uint64_t i = 0; i < buffers_.count(); ++i) {
    const Status& status = transfers_[i].wait(waited_);
    if (first.ok()) first = status;
  }
  return first;
}

// ---- RecordReader

Status RecordReader::open() {
  if (buffers_.count() == 0) return no_room();
  if (next_ >= end_) return {};
  started_ = next_ / file_.records_per_block();
  for (uint64_t i = 0; i < buffers_.count() && started_ < end_block(); ++i) start(started_);
  return {};
}

void RecordReader::start(uint64_t block) {
  file_.file().read(block, buffers_[buffer_of(block)], transfers_[buffer_of(block)]);
  started_ = block + 1;
}

Result<RecordReader::Span> RecordReader::next() {
  if (next_ >= end_) return Span{};
  const uint64_t per_block = file_.records_per_block();
  const uint64_t block = next_ / per_block;
  // The caller has finished with this buffer: the next block is read into it.
  if (started_ < end_block() && started_ < block + buffers_.count()) start(started_);
  if (const Status& status = transfers_[buffer_of(block)].wait(waited_); !status.ok()) return status;
  const Result<uint64_t> used = verify_block(buffers_[buffer_of(block)], file_.file(), block, file_.stamp());
  if (!used.ok()) return used.status();
  const uint64_t place = next_ % per_block;
  const uint64_t count = std::min(per_block - place, end_ - next_);
  if (*used < (place + count) * file_.record_bytes()) {
    return Status::system(file_.file().name() + ": a block holds fewer records than it should");
  }
  next_ += count;
  return Span{buffers_[buffer_of(block)] + kBlockHeaderBytes + place * file_.record_bytes(), count};
}

}  // namespace strata
