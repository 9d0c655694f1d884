#include "block/storage/memory_storage.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace strata {

namespace {

class MemoryFile final : public File {
 public:
  MemoryFile(std::string name, std::shared_ptr<MemoryStorage::Content> content)
      : name_(std::move(name)), content_(std::move(content)) {}

  const std::string& name() const override { return name_; }
  uint64_t block_bytes() const override { return content_->space.block_bytes(); }

  void read(uint64_t block, uint8_t* data, Transfer& transfer) override {
    transfer.begin();
    transfer.finish(copy_out(block, data));
  }
  void write(uint64_t block, const uint8_t* data, Transfer& transfer) override {
    transfer.begin();
    if (!content_->space.occupy(block)) {
      transfer.finish(content_->space.limit_reached(name_, block));
      return;
    }
    {
      const MutexLock lock(content_->mutex);
      content_->blocks[block].assign(data, data + block_bytes());
    }
    transfer.finish(Status());
  }
  Status discard(uint64_t first, uint64_t blocks) override {
    const MutexLock lock(content_->mutex);
    for (uint64_t block = first; block < first + blocks; ++block) {
      content_->space.vacate(block);
      content_->blocks.erase(block);
    }
    return {};
  }
  Status sync() override { return {}; }

 private:
  Status copy_out(uint64_t block, uint8_t* data) {
    const MutexLock lock(content_->mutex);
    const auto found = content_->blocks.find(block);
    if (found == content_->blocks.end())
      return Status::system(fmt::format("{}: there is no block {}", name_, block));
    std::memcpy(data, found->second.data(), block_bytes());
    return {};
  }

  const std::string name_;
  const std::shared_ptr<MemoryStorage::Content> content_;
};

}  // namespace

Result<std::unique_ptr<File>> MemoryStorage::create(const std::string& name, uint64_t block_bytes) {
  auto content = std::make_shared<Content>(budget_, block_bytes);
  const MutexLock lock(mutex_);
  files_[name] = content;
  return std::unique_ptr<File>(std::make_unique<MemoryFile>(name, content));
}

Result<std::unique_ptr<File>> MemoryStorage::open(const std::string& name, uint64_t) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(name);
  if (found == files_.end()) return Status::system(name + ": there is no such file");
  return std::unique_ptr<File>(std::make_unique<MemoryFile>(name, found->second));
}

Status MemoryStorage::remove(const std::string& name) {
  const MutexLock lock(mutex_);
  files_.erase(name);
  return {};
}

std::vector<std::string> MemoryStorage::names() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [name, content] : files_) all.push_back(name);
  return all;
}

}  // namespace strata
