#include "block/storage/shared_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "block/storage/occupancy.h"

namespace strata {

class SharedStorage::Content {
 public:
  Content(Space& space, DiskBudget& budget, const std::atomic<bool>& several)
      : space_(space), budget_(budget), several_(several) {}
  ~Content() { static_cast<void>(discard(0, places_.size())); }

  File& file() const { return *space_.file; }
  const DiskBudget& budget() const { return budget_; }
  std::optional<uint32_t> find(uint64_t block) const {
    const MutexLock lock(mutex_);
    if (block >= places_.size() || places_[block] == kNone) return std::nullopt;
    return places_[block];
  }
  // The place of a block that is to be written; none if the block has no place and the budget no room.
  std::optional<uint32_t> make(uint64_t block) {
    const MutexLock lock(mutex_);
    if (block >= places_.size()) places_.resize(block + 1, kNone);
    if (places_[block] != kNone) return places_[block];
    const MutexLock space_lock(space_.mutex);
    const std::optional<uint32_t> place = take_place();
    if (place) {
      places_[block] = *place;
      ++space_.used;
    }
    return place;
  }
  Status discard(uint64_t first, uint64_t blocks) {
    const MutexLock lock(mutex_);
    const MutexLock space_lock(space_.mutex);
    for (uint64_t block = first; block < std::min(first + blocks, places_.size()); ++block) {
      if (places_[block] == kNone) continue;
      set_free(places_[block]);
      places_[block] = kNone;
      --space_.used;
    }
    return space_.used == 0 ? empty_file() : Status();
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint64_t kTogetherBytes = 256 << 10;

  // A free place, or the next of a few new places that are together.
  std::optional<uint32_t> take_place() REQUIRES(mutex_, space_.mutex) {
    if (!space_.free.empty()) {
      const uint32_t place = space_.free.top();
      space_.free.pop();
      return place;
    }
    if (!budget_.reserve(file().block_bytes())) return std::nullopt;
    ++space_.occupied;
    if (next_ == end_ || emptied_ != space_.emptied) {
      const auto together =
          static_cast<uint32_t>(std::max<uint64_t>(kTogetherBytes / file().block_bytes(), 1));
      if (space_.end > kNone - together) return std::nullopt;
      next_ = space_.end;
      end_ = space_.end += together;
      emptied_ = space_.emptied;
    }
    return next_++;
  }

  // A destructor calls this. Without memory to note the place, it stays unused until the file is emptied.
  void set_free(uint32_t place) noexcept REQUIRES(space_.mutex) {
    try {
      space_.free.push(place);
    } catch (const std::bad_alloc&) {
    }
  }

  // REQUIRES: no place is in use.
  Status empty_file() REQUIRES(space_.mutex) {
    const uint32_t end = std::exchange(space_.end, 0);
    if (end == 0) return {};
    space_.free = {};
    ++space_.emptied;
    budget_.release(std::exchange(space_.occupied, 0) * file().block_bytes());
    if (several_) return file().discard(0, std::max(end, std::exchange(space_.stale, 0)));
    space_.stale = std::max(space_.stale, end);
    return {};
  }

  Space& space_;
  DiskBudget& budget_;
  const std::atomic<bool>& several_;
  mutable Mutex mutex_;
  std::vector<uint32_t> places_ GUARDED_BY(mutex_);
  // New places that were taken for this file; void once the file below was emptied.
  uint32_t next_ GUARDED_BY(mutex_) = 0, end_ GUARDED_BY(mutex_) = 0;
  uint64_t emptied_ GUARDED_BY(mutex_) = 0;
};

namespace {

class SharedFile final : public File {
 public:
  SharedFile(std::string name, std::shared_ptr<SharedStorage::Content> content)
      : own_name_(std::move(name)), content_(std::move(content)) {}

  const std::string& name() const override { return base().name(); }
  uint64_t block_bytes() const override { return base().block_bytes(); }
  Submitter* carrier() const override { return base().carrier(); }
  uint64_t offset(uint64_t block) const override { return base().offset(content_->find(block).value_or(0)); }

  void read(uint64_t block, uint8_t* data, Transfer& transfer) override {
    if (const std::optional<uint32_t> place = content_->find(block))
      return base().read(*place, data, transfer);
    Status missing = Status::system(fmt::format("{}: {} has no block {}", name(), own_name_, block));
    transfer.begin();
    transfer.finish(std::move(missing));
  }
  void write(uint64_t block, const uint8_t* data, Transfer& transfer) override {
    if (const std::optional<uint32_t> place = content_->make(block))
      return base().write(*place, data, transfer);
    Status full = disk_limit_reached(content_->budget(), own_name_, block);
    transfer.begin();
    transfer.finish(std::move(full));
  }
  Status discard(uint64_t first, uint64_t blocks) override { return content_->discard(first, blocks); }
  Status sync() override { return base().sync(); }

 private:
  File& base() const { return content_->file(); }

  const std::string own_name_;
  const std::shared_ptr<SharedStorage::Content> content_;
};

}  // namespace

SharedStorage::~SharedStorage() {
  files_.clear();
  for (auto& [bytes, space] : spaces_) {
    if (space.file) base_.retire(std::move(space.file), fmt::format("blocks.{}", bytes));
  }
}

// Called when there are files with blocks of several sizes for the first time.
void SharedStorage::empty_idle_files() {
  several_ = true;
  for (auto& [bytes, space] : spaces_) {
    const MutexLock lock(space.mutex);
    const uint32_t stale = std::exchange(space.stale, 0), used = space.used > 0 ? space.end : 0;
    if (stale > used) static_cast<void>(space.file->discard(used, stale - used));
  }
}

Result<std::unique_ptr<File>> SharedStorage::create(const std::string& name, uint64_t block_bytes) {
  const MutexLock lock(mutex_);
  files_.erase(name);
  Space& space = spaces_[block_bytes];
  if (!space.file) {
    Result<std::unique_ptr<File>> file = base_.create(fmt::format("blocks.{}", block_bytes), block_bytes);
    if (!file.ok()) return file.status();
    space.file = std::move(*file);
    if (spaces_.size() > 1 && !several_) empty_idle_files();
  }
  const auto content = std::make_shared<Content>(space, budget_, several_);
  files_[name] = content;
  return std::unique_ptr<File>(std::make_unique<SharedFile>(name, content));
}

Result<std::unique_ptr<File>> SharedStorage::open(const std::string& name, uint64_t) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(name);
  if (found == files_.end()) return Status::system(name + ": there is no such file");
  return std::unique_ptr<File>(std::make_unique<SharedFile>(name, found->second));
}

Status SharedStorage::remove(const std::string& name) {
  const MutexLock lock(mutex_);
  files_.erase(name);
  return {};
}

}  // namespace strata
