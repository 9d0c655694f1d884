#include "block/storage/disk_storage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/system/memory_map.h"
#include "base/system/plain_file.h"
#include "block/io/file_error.h"
#include "block/storage/free_later.h"

namespace strata {

namespace {

Status system_error(const std::string& path, const char* what, int error) {
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// A file. Each folder has a part of it.
class DiskFile final : public File {
 public:
  DiskFile(std::string name, std::vector<Descriptor> parts, std::shared_ptr<Occupancy> space,
           IoEngine& engine, DiskTraffic& traffic)
      : name_(std::move(name)),
        block_bytes_(space->block_bytes()),
        parts_(std::move(parts)),
        space_(std::move(space)),
        engine_(engine),
        traffic_(traffic) {}

  const std::string& name() const override { return name_; }
  uint64_t block_bytes() const override { return block_bytes_; }
  Submitter* carrier() const override { return engine_.carrier(); }

  void read(uint64_t block, uint8_t* data, Transfer& transfer) override {
    transfer.begin(engine_.carrier());
    traffic_.read.fetch_add(block_bytes_, std::memory_order_relaxed);
    start(IoOperation::Kind::read, block, data, transfer);
  }
  void write(uint64_t block, const uint8_t* data, Transfer& transfer) override {
    // All that needs memory is done first, because a transfer that has begun must end.
    const bool room = space_->occupy(block);
    Status full = room ? Status() : space_->limit_reached(name_, block);
    transfer.begin(engine_.carrier());
    if (!room) return transfer.finish(std::move(full));
    traffic_.written.fetch_add(block_bytes_, std::memory_order_relaxed);
    make_room(block);
    start(IoOperation::Kind::write, block, const_cast<uint8_t*>(data), transfer);
  }
  Status discard(uint64_t first, uint64_t blocks) override {
    for (uint64_t block = first; block < first + blocks; ++block) space_->vacate(block);
    // The blocks of one part are contiguous.
    for (uint64_t i = 0; i < std::min<uint64_t>(blocks, parts_.size()); ++i) {
      const uint64_t count = (blocks - i + parts_.size() - 1) / parts_.size();
      const int failed =
          ::fallocate(part(first + i), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      static_cast<off_t>(in_part(first + i)), static_cast<off_t>(count * block_bytes_));
      // A file system that cannot make holes keeps the space until the file is removed.
      if (failed != 0 && errno != EOPNOTSUPP) return system_error(name_, "discarding blocks", errno);
    }
    return {};
  }
  // Also gives back the space that was reserved and not written.
  Status sync() override {
    {
      const MutexLock lock(growth_);
      for (const Descriptor& part : parts_)
        if (reserved_ > used_ && ::ftruncate(part.number(), static_cast<off_t>(used_)) != 0)
          return system_error(name_, "ftruncate", errno);
      reserved_ = used_;
    }
    for (const Descriptor& part : parts_)
      if (::fdatasync(part.number()) != 0) return system_error(name_, "fdatasync", errno);
    return {};
  }

  // The file has the blocks [first, end) of an earlier run; blocks behind them are cut off.
  Status adopt(uint64_t first, uint64_t end) {
    for (uint64_t block = first; block < end; ++block)
      if (!space_->occupy(block)) return space_->limit_reached(name_, block);
    for (uint64_t i = 0; i < parts_.size(); ++i) {
      const uint64_t blocks = end / parts_.size() + (i < end % parts_.size() ? 1 : 0);
      const auto bytes = static_cast<off_t>(blocks * block_bytes_);
      struct stat about {};
      if (::fstat(parts_[i].number(), &about) != 0) return system_error(name_, "fstat", errno);
      if (end > first && about.st_size < bytes)
        return Status::system(
            fmt::format("{}: it ends at offset {}, and should have {} bytes", name_, about.st_size, bytes));
      if (::ftruncate(parts_[i].number(), bytes) != 0) return system_error(name_, "ftruncate", errno);
    }
    const MutexLock lock(growth_);
    used_ = reserved_ = (end + parts_.size() - 1) / parts_.size() * block_bytes_;
    return {};
  }

  // Hands the open descriptors to the caller, who closes them.
  void release(std::vector<int>& descriptors) {
    for (Descriptor& part : parts_) descriptors.push_back(part.release());
  }

 private:
  // Reserves space ahead of the writes, in large pieces: a write that makes the file longer holds up its thread, and
  // all others that write to the file. If the reservation fails, the write itself reports the error.
  void make_room(uint64_t block) {
    constexpr uint64_t kLeastBytes = 1 << 20, kMostBytes = 64 << 20;
    const uint64_t end = in_part(block) + block_bytes_;
    const MutexLock lock(growth_);
    used_ = std::max(used_, end);
    if (!reserves_ || end <= reserved_) return;
    const uint64_t more =
        round_up(end - reserved_, kPageBytes) + std::clamp(reserved_ / 4, kLeastBytes, kMostBytes);
    for (const Descriptor& part : parts_)
      reserves_ &=
          ::fallocate(part.number(), 0, static_cast<off_t>(reserved_), static_cast<off_t>(more)) == 0;
    if (reserves_) reserved_ += more;
  }

  int part(uint64_t block) const { return parts_[block % parts_.size()].number(); }
  uint64_t in_part(uint64_t block) const { return block / parts_.size() * block_bytes_; }
  void start(IoOperation::Kind kind, uint64_t block, uint8_t* data, Transfer& transfer) {
    engine_.start({kind, part(block), in_part(block), data, block_bytes_, &name_, &transfer});
  }

  const std::string name_;
  const uint64_t block_bytes_;
  std::vector<Descriptor> parts_;
  const std::shared_ptr<Occupancy> space_;
  IoEngine& engine_;
  DiskTraffic& traffic_;

  // Bytes of each part that have space on the disk, and bytes that were written.
  Mutex growth_;
  uint64_t reserved_ GUARDED_BY(growth_) = 0, used_ GUARDED_BY(growth_) = 0;
  bool reserves_ GUARDED_BY(growth_) = true;
};

// The best engine that the kernel allows; the note says why it is not io_uring.
std::unique_ptr<IoEngine> make_engine(DiskStorage::Engine wanted, std::string& note) {
  if (wanted == DiskStorage::Engine::best) {
    Result<std::unique_ptr<IoEngine>> uring = make_uring_engine();
    if (uring.ok()) return std::move(*uring);
    note = uring.status().message();
  }
  return make_thread_engine();
}

}  // namespace

DiskStorage::DiskStorage(std::vector<std::string> folders, DiskBudget& budget, Engine engine)
    : folders_(std::move(folders)), budget_(budget), engine_(make_engine(engine, engine_note_)) {
  free_now();
}

DiskStorage::~DiskStorage() {
  if (!retired_.empty()) free_later(retired_);
}

Result<std::unique_ptr<File>> DiskStorage::create(const std::string& name, uint64_t block_bytes) {
  if (Status status = remove(name); !status.ok()) return status;
  return open_parts(name, block_bytes, O_CREAT | O_TRUNC);
}

Result<std::unique_ptr<File>> DiskStorage::open(const std::string& name, uint64_t block_bytes) {
  return open_parts(name, block_bytes, 0);
}

Result<std::unique_ptr<File>> DiskStorage::reopen(const std::string& name, uint64_t block_bytes,
                                                  uint64_t first, uint64_t end) {
  Result<std::unique_ptr<File>> file = open_parts(name, block_bytes, 0);
  if (!file.ok()) return file;
  if (Status status = static_cast<DiskFile&>(**file).adopt(first, end); !status.ok()) return status;
  return file;
}

Result<std::unique_ptr<File>> DiskStorage::open_parts(const std::string& name, uint64_t block_bytes,
                                                      int flags) {
  std::vector<Descriptor> parts;
  for (const std::string& folder : folders_) {
    const std::string path = folder + "/" + name;
    int descriptor = -1;
    if (direct_) {
      descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_DIRECT | flags, 0600);
      // The file system refuses O_DIRECT.
      if (descriptor < 0 && errno == EINVAL) direct_ = false;
    }
    if (!direct_) descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
    if (descriptor < 0) return system_error(path, flags != 0 ? "creating" : "opening", errno);
    parts.emplace_back(descriptor);
    struct stat about {};
    if (::fstat(descriptor, &about) != 0) return system_error(path, "fstat", errno);
    if (const char* why = why_not_plain(about)) return Status::system(fmt::format("{}: {}", path, why));
  }
  const MutexLock lock(mutex_);
  std::shared_ptr<Occupancy>& space = space_[name];
  if (!space) space = std::make_shared<Occupancy>(budget_, block_bytes);
  return std::unique_ptr<File>(
      std::make_unique<DiskFile>(folders_.front() + "/" + name, std::move(parts), space, *engine_, traffic_));
}

Status DiskStorage::remove(const std::string& name) {
  for (const std::string& folder : folders_) {
    const std::string path = folder + "/" + name;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return system_error(path, "removing", errno);
  }
  const MutexLock lock(mutex_);
  space_.erase(name);
  return {};
}

void DiskStorage::retire(std::unique_ptr<File> file, const std::string& name) {
  static_cast<DiskFile&>(*file).release(retired_);
  file.reset();
  static_cast<void>(remove(name));
}

std::string DiskStorage::description() const {
  std::string text = engine_->name();
  text += direct_ ? ", direct" : ", through the page cache (the file system refuses O_DIRECT)";
  if (folders_.size() > 1) text += fmt::format(", {} folders", folders_.size());
  if (!engine_note_.empty()) text += "; " + engine_note_;
  return text;
}

}  // namespace strata
