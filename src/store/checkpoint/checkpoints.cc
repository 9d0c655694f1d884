#include "store/checkpoint/checkpoints.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text/units.h"

namespace strata {

namespace {

// Space for an image as long as no image was made whose size is known.
constexpr uint64_t kLeastReserve = 4 << 20;

// A run ends if the space left is less than it writes in this many seconds, or less than this.
constexpr double kSecondsLeft = 4;
constexpr uint64_t kLeastLeft = 16 << 20;

// The next image may be larger than this one.
uint64_t reserve_for(uint64_t image) { return std::max(kLeastReserve, image / 4 * 5); }

// Each log has a file of its own.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 1 << 16);
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Checkpoints::Checkpoints(std::unique_ptr<CheckpointFolder> folder, const Options& options)
    : folder_(std::move(folder)),
      every_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.every))),
      from_(options.from),
      next_(Clock::now() + every_) {
  allow_many_files();
}

Result<std::unique_ptr<Checkpoints>> Checkpoints::create(const Options& options, const std::string& run) {
  Result<std::unique_ptr<CheckpointFolder>> folder =
      CheckpointFolder::create(options.folder, options.disks, run, options.id);
  if (!folder.ok()) return folder.status();
  (*folder)->reserve(kLeastReserve);
  return std::unique_ptr<Checkpoints>(new Checkpoints(std::move(*folder), options));
}

Result<std::unique_ptr<Checkpoints>> Checkpoints::open(const Options& options) {
  Result<std::unique_ptr<CheckpointFolder>> folder =
      CheckpointFolder::open(options.folder, options.disks, options.from);
  if (!folder.ok()) return folder.status();
  std::unique_ptr<Checkpoints> opened(new Checkpoints(std::move(*folder), options));
  // A run that ended before its first checkpoint begins again.
  if (!opened->stands()) {
    opened->folder_->reserve(kLeastReserve);
    return opened;
  }
  if (Status status = opened->rewind(); !status.ok()) return status;
  return opened;
}

Status Checkpoints::rewind() {
  reader_ = std::make_unique<ImageReader>(folder_->image(), folder_->image_stamp(folder_->number()));
  if (Status status = reader_->verify(); !status.ok()) {
    const bool other = folder_->has_previous();
    return Status(status.code(),
                  fmt::format("{}; {}", status.message(),
                              other ? "the checkpoint before it stands: resume from that with --previous"
                                    : "there is no other checkpoint"));
  }
  serialize_head(*reader_, restored_maker_);
  if (Status status = reader_->status(); !status.ok()) return status;
  resumed_.push_back(last_);
  return {};
}

void Checkpoints::serialize_head(Image& image, uint64_t& maker) {
  image.value("seconds", last_.seconds);
  image.value("states", last_.states);
  image.list("resumed", resumed_);
  image.value("maker", maker);
}

std::unique_ptr<Checkpoints::Part> Checkpoints::add(Serialize serialize) {
  auto part = std::make_unique<Part>(*this);
  part->serialize_ = std::move(serialize);
  if (reader_) part->serialize_(*reader_);
  parts_.push_back(part.get());
  return part;
}

Status Checkpoints::restored() {
  reader_.reset();
  std::error_code error;
  const uint64_t image = std::filesystem::file_size(folder_->image(), error);
  folder_->reserve(reserve_for(error ? 0 : image));
  // The checkpoint that was passed over may be damaged, and its files were truncated.
  if (from_ != CheckpointFolder::From::previous) return {};
  if (Status status = folder_->forget_previous(); !status.ok()) return status;
  if (storage_ != nullptr) storage_->remove_others();
  return {};
}

Status Checkpoints::short_of_space() {
  if (!look_.try_lock()) return {};
  const MutexLock lock(look_, std::adopt_lock);
  const auto now = Clock::now();
  if (now < next_look_) return {};
  const double passed = std::chrono::duration<double>(now - next_look_).count() + 1;
  next_look_ = now + std::chrono::seconds(1);
  const uint64_t written = storage_ == nullptr ? 0 : storage_->bytes_written();
  const double grown = static_cast<double>(written - std::min(written, std::exchange(written_, written)));
  const uint64_t needed = std::max(static_cast<uint64_t>(kSecondsLeft * grown / passed), kLeastLeft);
  const auto text = [](uint64_t left, const std::string& where) {
    return fmt::format("only {} are left {}", mebibytes_text(left), where);
  };
  // A small limit must be usable too.
  if (const uint64_t limit = budget_ == nullptr ? UINT64_MAX : budget_->limit(); limit != UINT64_MAX) {
    const uint64_t left = limit - std::min(limit, budget_->used());
    if (left < std::min(needed, limit / 16))
      return Status::disk_full(text(left, "of --disk-limit"), Reason::disk_limit);
  }
  for (const std::string& folder : folder_->folders()) {
    std::error_code error;
    const std::filesystem::space_info space = std::filesystem::space(folder, error);
    if (!error && space.available < std::min<uint64_t>(needed, space.capacity / 16))
      return Status::disk_full(text(space.available, "in " + folder));
  }
  return {};
}

Status Checkpoints::make() {
  const auto begin = Clock::now();
  const Resumed before = std::exchange(last_, here_);
  Status status = make_image();
  // The reserve is used when no other space is left.
  if (status.code() == StatusCode::disk_full) {
    folder_->give_up_reserve();
    status = make_image();
  }
  if (status.ok() && storage_ != nullptr) storage_->end_checkpoint();
  folder_->reserve(reserve_for(image_bytes_));
  if (!status.ok()) {
    last_ = before;
    if (tell_)
      tell_(fmt::format("a checkpoint could not be made, the last one stands: {}", status.message()));
  }
  made_ += status.ok();
  if (status.ok()) last_all_ = here_all_;
  if (asked_.exchange(false) && status.ok() && tell_)
    tell_(fmt::format("the checkpoint that was asked for is made: {} state{}, after {:.1f} s", here_.states,
                      here_.states == 1 ? "" : "s", here_.seconds));
  // However often checkpoints are due, the search gets as much time as they take.
  const auto now = Clock::now();
  next_ = now + std::max(every_, now - begin);
  seconds_ += std::chrono::duration<double>(now - begin).count();
  return status;
}

Status Checkpoints::make_image() {
  ImageWriter image(folder_->next_image(), folder_->image_stamp(folder_->next_number()));
  serialize_head(image, maker_);
  for (const Part* part : parts_) part->serialize_(image);
  Status status = image.finish();
  image_bytes_ = image.bytes_written();
  if (status.ok() && storage_ != nullptr) status = storage_->sync();
  if (status.ok()) return folder_->stand();
  // Remove half an image: it only takes space.
  std::error_code error;
  std::filesystem::remove(folder_->next_image(), error);
  return status;
}

}  // namespace strata
