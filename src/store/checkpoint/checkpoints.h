// The checkpoints of a run: when one is due, how it is made, and how a run goes on from the last one.
//
// What a run consists of is made up of parts (Image, base/image/image.h), in the order in which they are
// added: the tables of a folded model, the counts of the search, its files. A checkpoint is an image of all
// of them; a run that is resumed restores each part when it is added, in the same order.
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
  // For a run that was ended. Its last image is whole.
  static Result<std::unique_ptr<Checkpoints>> open(const Options& options);
  // Reads the image once more from its beginning.
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
  // A part, as long as the object lives.
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
  // Adds a part. Where the run is resumed it is restored now; status() says whether it could be.
  std::unique_ptr<Part> add(Serialize serialize);
  bool restoring() const { return reader_ != nullptr; }
  Status status() const { return reader_ ? reader_->status() : Status(); }
  // All parts are there again. What is only of the checkpoint before goes with the second one that is made:
  // until then a block may be found that is damaged.
  Status restored();

  // ---- making them

  // A checkpoint is due: by the time, or because somebody asked.
  bool due() const { return asked_.load(std::memory_order_relaxed) || Clock::now() >= next_; }
  void ask() { asked_.store(true, std::memory_order_relaxed); }
  // For a signal handler: it asks by setting this.
  std::atomic<bool>& asked() { return asked_; }
  // Fails if so little space is left that the run should end while a checkpoint can still be made. Looks once a second
  // at most.
  Status short_of_space();
  // Makes one, of all parts. Nobody changes them meanwhile. When it fails the last one stands.
  Status make();

  // Told of a checkpoint that could not be made, and of one that somebody asked for.
  void tell(std::function<void(const std::string& text)> tell) { tell_ = std::move(tell); }

  // Where the run went on: seconds that it had taken, and states that it had found.
  struct Resumed {
    double seconds = 0;
    uint64_t states = 0;
  };
  const std::vector<Resumed>& resumed() const { return resumed_; }
  // It goes on with another run, that was resumed there.
  void inherit(std::vector<Resumed> resumed) {
    resumed_ = std::move(resumed);
    if (!resumed_.empty()) last_ = resumed_.back();
  }
  // A random number of the process that makes checkpoints, or of all ranks together, which each image has:
  // that of the image that was restored (0: none), and that of the next ones. Images of ranks that have
  // different ones are not of one moment: one of them is of a copy of the run that went on by itself.
  uint64_t restored_maker() const { return restored_maker_; }
  void set_maker(uint64_t maker) { maker_ = maker; }

  // Where the search is, for that; and how many states all ranks have found.
  void note(double seconds, uint64_t states) { here_ = {seconds, states}; }
  void note_all(uint64_t states) { here_all_ = states; }
  // How many were made by this process, and what that took.
  uint64_t made() const { return made_; }
  double seconds() const { return seconds_; }
  // Whether there is one to resume from.
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
