// The checkpoints of a run: when one is due, how it is made, and how a run continues from the last one.
//
// A run consists of parts (Image, base/image/image.h): the tables of a folded model, the counts of the search, its
// files. A checkpoint is an image of all parts in the order in which they were added. A run that is resumed adds its
// parts in the same order, and each is restored when it is added.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/image/image.h"
#include "base/locks/mutex.h"
#include "base/random.h"
#include "block/checkpoint/checkpoint_folder.h"
#include "block/checkpoint/checkpoint_storage.h"
#include "block/checkpoint/image_file.h"

namespace strata {

class Checkpoints {
 public:
  struct Options {
    std::string folder;              // --checkpoint
    std::vector<std::string> disks;  // further folders for the files
    double every = 600;              // seconds
    CheckpointFolder::From from = CheckpointFolder::From::last;
    std::string id = CheckpointFolder::new_id();  // of a new run
  };
  // For a new run; `run` is what read_run() will return.
  static Result<std::unique_ptr<Checkpoints>> create(const Options& options, const std::string& run);
  // For a run that has ended. Its last image is complete.
  static Result<std::unique_ptr<Checkpoints>> open(const Options& options);
  // Reads the image again from its beginning.
  Status rewind();
  static Result<std::string> read_run(const std::string& folder) {
    return CheckpointFolder::read_run(folder);
  }

  CheckpointFolder& folder() { return *folder_; }
  // Where the files of the search are, once it has some, and what they may occupy.
  void use(CheckpointStorage* storage, const DiskBudget* budget) {
    storage_ = storage;
    budget_ = budget;
  }

  // ---- parts

  using Serialize = std::function<void(Image& image)>;
  // A part; it belongs to the run as long as this object lives.
  class Part {
   public:
    explicit Part(Checkpoints& owner) : owner_(owner) {}
    ~Part() { owner_.remove(*this); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    friend class Checkpoints;
    Checkpoints& owner_;
    Serialize serialize_;
  };
  // Adds a part. In a run that is resumed, restores it now; status() says whether that worked.
  std::unique_ptr<Part> add(Serialize serialize);
  bool restoring() const { return reader_ != nullptr; }
  Status status() const { return reader_ ? reader_->status() : Status(); }
  // All parts are restored. Files that only the checkpoint before needs are removed when the second checkpoint is made:
  // until then a damaged block may be found.
  Status restored();

  // ---- making them

  // Whether a checkpoint is due, because of the time or because one was requested.
  bool due() const { return asked_.load(std::memory_order_relaxed) || Clock::now() >= next_; }
  void ask() { asked_.store(true, std::memory_order_relaxed); }
  // A signal handler sets this to request a checkpoint.
  std::atomic<bool>& asked() { return asked_; }
  // Fails if so little space is left that the run should end while a checkpoint can still be made. Looks at most once a
  // second.
  Status short_of_space();
  // Makes a checkpoint of all parts. If it fails, the last one is still valid. REQUIRES: no thread changes a part.
  Status make();

  // Called after a checkpoint that failed, and after one that was requested.
  void tell(std::function<void(const std::string& text)> tell) { tell_ = std::move(tell); }
  // Tells the user something about how the run is resumed.
  void say(const std::string& text) const {
    if (tell_) tell_(text);
  }

  // What the run had when it was resumed: the seconds it had taken, and the states it had found.
  struct Resumed {
    double seconds = 0;
    uint64_t states = 0;
  };
  const std::vector<Resumed>& resumed() const { return resumed_; }
  // Continues another run, which was resumed there.
  void inherit(std::vector<Resumed> resumed) {
    resumed_ = std::move(resumed);
    if (!resumed_.empty()) last_ = resumed_.back();
  }
  // Each image has a random number of the process that made it, or of all ranks together: this is the number of the
  // image that was restored (0: none), and the number of the next images. If the images of ranks have different
  // numbers, they are not of one moment: one of them comes from a copy of the run that continued separately.
  uint64_t restored_maker() const { return restored_maker_; }
  void set_maker(uint64_t maker) { maker_ = maker; }

  // The position of the search, for progress() after resuming; and how many states all ranks have found.
  void note(double seconds, uint64_t states) { here_ = {seconds, states}; }
  void note_all(uint64_t states) { here_all_ = states; }
  // How many checkpoints this process made, and the seconds that took.
  uint64_t made() const { return made_; }
  double seconds() const { return seconds_; }
  // Whether a checkpoint to resume from exists.
  bool stands() const { return folder_->number() != 0; }
  // The state at the last one.
  const Resumed& last() const { return last_; }
  // The states of all ranks at the last one that this process made; 0: not known.
  uint64_t last_of_all() const { return last_all_; }

  // The run is over.
  void remove() { folder_->remove(); }

 private:
  using Clock = std::chrono::steady_clock;
  Checkpoints(std::unique_ptr<CheckpointFolder> folder, const Options& options);
  void remove(const Part& part) { std::erase(parts_, &part); }
  void serialize_head(Image& image, uint64_t& maker);
  Status make_image();

  const std::unique_ptr<CheckpointFolder> folder_;
  CheckpointStorage* storage_ = nullptr;
  const DiskBudget* budget_ = nullptr;
  std::vector<const Part*> parts_;
  std::unique_ptr<ImageReader> reader_;  // null: nothing to restore, or all is
  std::atomic<bool> asked_{false};
  const Clock::duration every_;
  const CheckpointFolder::From from_;
  Clock::time_point next_;
  std::vector<Resumed> resumed_;
  Resumed here_, last_;
  uint64_t maker_ = unique_number(), restored_maker_ = 0;
  uint64_t here_all_ = 0, last_all_ = 0;
  std::function<void(const std::string& text)> tell_;
  uint64_t made_ = 0;
  uint64_t image_bytes_ = 0;  // of the last one
  double seconds_ = 0;
  Mutex look_;
  Clock::time_point next_look_ GUARDED_BY(look_);
  uint64_t written_ GUARDED_BY(look_) = 0;  // bytes, at the last look
};

}  // namespace strata
