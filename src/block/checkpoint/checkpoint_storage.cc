#include "block/checkpoint/checkpoint_storage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/random.h"
#include "base/system/sync_folder.h"
#include "block/io/file_error.h"

namespace strata {

// A file. It has a File for each era in which blocks were written to it.
struct CheckpointStorage::Entry {
  struct Part {
    uint64_t era = 0, first = 0;  // its first block
    std::unique_ptr<File> file;
  };
  // The mark of the blocks from block `first` on.
  struct Mark {
    uint64_t first = 0, number = 0;
  };

  uint64_t mark_of(uint64_t block) const {
    return std::find_if(marks.rbegin(), marks.rend(), [&](const Mark& mark) { return mark.first <= block; })
        ->number;
  }
  Part& part_of(uint64_t block) {
    return *std::find_if(parts.rbegin(), parts.rend(),
                         [&](const Part& part) { return part.first <= block || &part == &parts.front(); });
  }

  // The file's name on disk in an era.
  std::string path(uint64_t era) const { return fmt::format("{}~{}.{}", name, number, era); }

  std::string name;  // under which it was first made
  uint64_t number = 0;
  uint64_t block_bytes = 0;
  std::vector<Part> parts;
  std::vector<Mark> marks;  // the first one is that of block 0
  bool saved = false;       // a checkpoint has it
};

class CheckpointStorage::ChainedFile final : public File {
 public:
  ChainedFile(CheckpointStorage& storage, std::shared_ptr<Entry> entry)
      : storage_(storage), entry_(std::move(entry)) {}

  const std::string& name() const override { return entry_->parts.back().file->name(); }
  uint64_t block_bytes() const override { return entry_->block_bytes; }
  uint64_t mark(uint64_t block) const override { return entry_->mark_of(block); }
  Submitter* carrier() const override { return entry_->parts.back().file->carrier(); }
  void read(uint64_t block, uint8_t* data, Transfer& transfer) override {
    entry_->part_of(block).file->read(block, data, transfer);
  }
  void write(uint64_t block, const uint8_t* data, Transfer& transfer) override {
    entry_->part_of(block).file->write(block, data, transfer);
  }
  Status discard(uint64_t first, uint64_t blocks) override { return storage_.discard(entry_, first, blocks); }
  Status sync() override {
    for (const Entry::Part& part : entry_->parts)
      if (Status status = part.file->sync(); !status.ok()) return status;
    return {};
  }

 private:
  CheckpointStorage& storage_;
  const std::shared_ptr<Entry> entry_;
};

CheckpointStorage::CheckpointStorage(const std::vector<std::vector<std::string>>& eras, DiskBudget& budget)
    : folders_(eras) {
  for (const std::vector<std::string>& folders : eras)
    eras_.push_back(std::make_unique<DiskStorage>(folders, budget));
  // A valid checkpoint may have files that an earlier storage made.
  for (const std::string& path : found()) {
    const size_t tilde = path.rfind('~');
    if (tilde == std::string::npos) continue;
    next_number_ = std::max<uint64_t>(next_number_, std::strtoull(path.c_str() + tilde + 1, nullptr, 10) + 1);
  }
}

std::vector<std::string> CheckpointStorage::found() const {
  namespace fs = std::filesystem;
  std::set<std::string> folders;
  for (const std::vector<std::string>& era : folders_) folders.insert(era.begin(), era.end());
  std::vector<std::string> paths;
  std::error_code error;
  for (const std::string& folder : folders)
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      paths.push_back(entry->path().string());
  return paths;
}

CheckpointStorage::~CheckpointStorage() = default;

Result<std::unique_ptr<File>> CheckpointStorage::create(const std::string& name, uint64_t block_bytes) {
  if (Status status = remove(name); !status.ok()) return status;
  if (const std::shared_ptr<Entry> other = spare(block_bytes)) {
    const MutexLock lock(mutex_);
    entries_[name] = other;
    return std::unique_ptr<File>(std::make_unique<ChainedFile>(*this, other));
  }
  auto entry = std::make_shared<Entry>();
  entry->block_bytes = block_bytes;
  entry->marks = {{0, unique_number()}};
  {
    const MutexLock lock(mutex_);
    entry->number = next_number_++;
  }
  entry->name = name;
  const uint64_t era = eras_.size() - 1;
  Result<std::unique_ptr<File>> file = eras_[era]->create(entry->path(era), block_bytes);
  if (!file.ok()) return file;
  entry->parts.push_back({era, 0, std::move(*file)});
  const MutexLock lock(mutex_);
  entries_[name] = entry;
  return std::unique_ptr<File>(std::make_unique<ChainedFile>(*this, entry));
}

// A spare file that has blocks only in the present era; null: there is none.
std::shared_ptr<CheckpointStorage::Entry> CheckpointStorage::spare(uint64_t block_bytes) {
  const MutexLock lock(mutex_);
  const auto found = std::find_if(spares_.begin(), spares_.end(), [&](const auto& entry) {
    return entry->block_bytes == block_bytes && entry->parts.front().era == eras_.size() - 1;
  });
  if (found == spares_.end()) return nullptr;
  const std::shared_ptr<Entry> entry = *found;
  spares_.erase(found);
  entry->saved = false;
  entry->marks = {{0, unique_number()}};
  return entry;
}

bool CheckpointStorage::in_checkpoint(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(name);
  return found != entries_.end() && found->second->saved;
}

Result<std::unique_ptr<File>> CheckpointStorage::open(const std::string& name, uint64_t /*block_bytes*/) {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return Status::system(fmt::format("{}: there is no such file", name));
  return std::unique_ptr<File>(std::make_unique<ChainedFile>(*this, found->second));
}

Status CheckpointStorage::remove(const std::string& name) {
  std::shared_ptr<Entry> entry;
  {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(name);
    if (found == entries_.end()) return {};
    entry = found->second;
    entries_.erase(found);
    if (entry->saved) {
      since_last_.files.push_back(entry);
      return {};
    }
  }
  return remove_now(*entry);
}

Status CheckpointStorage::remove_now(const Entry& entry) {
  for (const Entry::Part& part : entry.parts)
    if (Status status = eras_[part.era]->remove(entry.path(part.era)); !status.ok()) return status;
  return {};
}

Status CheckpointStorage::discard(const std::shared_ptr<Entry>& entry, uint64_t first, uint64_t blocks) {
  {
    const MutexLock lock(mutex_);
    if (entry->saved) {
      since_last_.discards.push_back({entry, first, blocks});
      return {};
    }
  }
  return discard_now(*entry, first, blocks);
}

Status CheckpointStorage::discard_now(Entry& entry, uint64_t first, uint64_t blocks) {
  for (uint64_t i = 0; i < entry.parts.size(); ++i) {
    const uint64_t begin = std::max(first, i == 0 ? 0 : entry.parts[i].first);
    const uint64_t end =
        i + 1 < entry.parts.size() ? std::min(first + blocks, entry.parts[i + 1].first) : first + blocks;
    if (begin >= end) continue;
    if (Status status = entry.parts[i].file->discard(begin, end - begin); !status.ok()) return status;
  }
  return {};
}

// ---- checkpoints

void CheckpointStorage::save(const std::string& name, Image& image) {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return image.fail(Status::internal(fmt::format("no file {} to save", name)));
  Entry& entry = *found->second;
  entry.saved = true;
  std::vector<uint64_t> eras, firsts;
  for (const Entry::Part& part : entry.parts) {
    eras.push_back(part.era);
    firsts.push_back(part.first);
  }
  image.list("file", entry.name);
  image.value("number", entry.number);
  image.list("eras", eras);
  image.list("firsts", firsts);
  image.list("marks", entry.marks);
}

Result<std::unique_ptr<File>> CheckpointStorage::restore(const std::string& name, uint64_t block_bytes,
                                                         uint64_t blocks, uint64_t discarded, Image& image) {
  auto entry = std::make_shared<Entry>();
  std::vector<uint64_t> eras, firsts;
  image.list("file", entry->name);
  image.value("number", entry->number);
  image.list("eras", eras);
  image.list("firsts", firsts);
  image.list("marks", entry->marks);
  if (!image.ok()) return image.status();
  if (firsts.size() != eras.size() || entry->marks.empty() || entry->marks.front().first != 0)
    return Status::system(fmt::format("{}: the checkpoint does not say which blocks it has", name));
  entry->block_bytes = block_bytes;
  entry->saved = true;
  for (uint64_t i = 0; i < eras.size(); ++i) {
    // Blocks of an era beyond its end were written after the checkpoint.
    const uint64_t end = i + 1 < eras.size() ? std::min(firsts[i + 1], blocks) : blocks;
    if (eras[i] >= eras_.size()) return Status::system(fmt::format("{}: its folders are not known", name));
    const uint64_t begin = std::min(std::max(firsts[i], discarded), end);
    Result<std::unique_ptr<File>> file =
        eras_[eras[i]]->reopen(entry->path(eras[i]), block_bytes, begin, end);
    if (!file.ok()) return file;
    entry->parts.push_back({eras[i], firsts[i], std::move(*file)});
  }
  // Drops marks that no block has any more, then adds the mark of this process.
  while (entry->marks.size() > 1 && entry->marks.back().first >= blocks) entry->marks.pop_back();
  entry->marks.push_back({blocks, unique_number()});
  const uint64_t now = eras_.size() - 1;
  if (eras.empty() || eras.back() != now) {
    Result<std::unique_ptr<File>> file = eras_[now]->create(entry->path(now), block_bytes);
    if (!file.ok()) return file;
    entry->parts.push_back({now, blocks, std::move(*file)});
  }
  const MutexLock lock(mutex_);
  next_number_ = std::max(next_number_, entry->number + 1);
  entries_[name] = entry;
  // The run before may have ended before it discarded these blocks.
  if (discarded > 0) since_last_.discards.push_back({entry, 0, discarded});
  return std::unique_ptr<File>(std::make_unique<ChainedFile>(*this, entry));
}

// There may be hundreds of files, so each file system is synced by one call.
Status CheckpointStorage::sync() {
  std::set<std::string> folders;
  for (const std::vector<std::string>& era : folders_) folders.insert(era.begin(), era.end());
  for (const std::string& folder : folders) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::syncfs(descriptor) == 0;
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (!synced)
      return file_error(fmt::format("{}: syncing its files: {}", folder, std::strerror(error)), error);
  }
  return {};
}

void CheckpointStorage::end_checkpoint() {
  Garbage old;
  {
    const MutexLock lock(mutex_);
    old = std::exchange(since_one_before_, std::exchange(since_last_, {}));
  }
  // A file that cannot be removed does no harm; the next run tries again.
  for (const Discard& discard : old.discards)
    static_cast<void>(discard_now(*discard.entry, discard.first, discard.blocks));
  std::vector<std::shared_ptr<Entry>> surplus;
  {
    const MutexLock lock(mutex_);
    spares_.insert(spares_.end(), old.files.begin(), old.files.end());
    const auto most = static_cast<int64_t>(std::min(spares_.size(), entries_.size()));
    surplus.assign(spares_.begin() + most, spares_.end());
    spares_.resize(static_cast<uint64_t>(most));
  }
  for (const auto& entry : surplus) static_cast<void>(remove_now(*entry));
  if (++checkpoints_ == 2) remove_others();
}

void CheckpointStorage::remove_others() {
  std::set<std::string> used;
  {
    const MutexLock lock(mutex_);
    const auto use = [&](const Entry& entry) {
      for (const Entry::Part& part : entry.parts) used.insert(entry.path(part.era));
    };
    for (const auto& [name, entry] : entries_) use(*entry);
    for (const Garbage* garbage : {&since_last_, &since_one_before_})
      for (const auto& entry : garbage->files) use(*entry);
    for (const auto& entry : spares_) use(*entry);
  }
  std::error_code error;
  for (const std::filesystem::path path : found())
    if (path.filename().string().find('~') != std::string::npos && !used.contains(path.filename().string()))
      std::filesystem::remove(path, error);
}

std::string CheckpointStorage::description() const { return eras_.back()->description(); }

uint64_t CheckpointStorage::bytes_read() const {
  uint64_t sum = 0;
  for (const auto& era : eras_) sum += era->traffic().read.load(std::memory_order_relaxed);
  return sum;
}

uint64_t CheckpointStorage::bytes_written() const {
  uint64_t sum = 0;
  for (const auto& era : eras_) sum += era->traffic().written.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace strata
