// The folder of --checkpoint: a run that can be resumed (doc/formats.md).
//
//   DIR/run          what the run is, as its maker wrote it
//   DIR/checkpoint   the run's random id, which checkpoint stands, and where the files are; replaced as a whole
//   DIR/image.N      checkpoint N: the values that a search consists of, and the ends of its files
//   DIR/files/       the search's files (checkpoint_storage.h), and in each further folder
//   strata-checkpoint-ID-K/, which has
//                    the path of DIR in its file `owner`
//   DIR/lock         host and process of the run that uses it, which holds its lock (flock)
//   DIR/reserve      space for the last image, if the disk is full by then
//   DIR/remains      instead of DIR/checkpoint, and like it: a run that is only being made or removed;
//   whoever finds it removes it
//
// The last two checkpoints stand at any time; the older one goes when a new one is complete (write, fsync,
// rename, fsync of the folder). All is readable by its owner only.
//
// No file of another run is taken for one of this run: DIR/checkpoint has the hash of DIR/run, the blocks of
// an image are stamped with the id, and an image has the marks of the files (checkpoint_storage.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

class CheckpointFolder {
 public:
  // A new run, in a folder that is new or empty, or has but the remains of one; with further folders for its
  // files. `id`: that of the run, which the folders of all its ranks share (new_id()).
  static Result<std::unique_ptr<CheckpointFolder>> create(const std::string& folder,
                                                          const std::vector<std::string>& disks,
                                                          const std::string& run,
                                                          const std::string& id = new_id());
  static std::string new_id();
  // A run that was ended. Folders that it had and that are not where they were are looked for in `disks`. If
  // it did not have some of `disks`, all that comes from now on is in `disks` alone. It goes on from the last
  // checkpoint, from the one before, or begins anew.
  enum class From { last, previous, none };
  static Result<std::unique_ptr<CheckpointFolder>> open(const std::string& folder,
                                                        const std::vector<std::string>& disks, From from);
  // The numbers of the last checkpoint and of the one before, 0: there is none; and the id of the run.
  struct Standing {
    uint64_t last = 0, previous = 0;
    std::string id;
  };
  static Result<Standing> standing(const std::string& folder);
  // Removes a run, or what is left of one, that nobody resumes any more.
  static Status discard(const std::string& folder);
  // What create() was given; an error where the file is not that of the run.
  static Result<std::string> read_run(const std::string& folder);

  ~CheckpointFolder();
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  const std::string& path() const { return path_; }
  // The folders of each era (checkpoint_storage.h).
  std::vector<std::vector<std::string>> eras() const;
  // The folders that files are written to now.
  std::vector<std::string> folders() const;

  // The checkpoint that stands; 0: none yet.
  uint64_t number() const { return number_; }
  bool has_previous() const { return previous_ != 0; }
  // The file of the one that stands, and of the one that is being made.
  std::string image() const { return image_path(number_); }
  uint64_t next_number() const { return next_; }
  // What the blocks of an image of this run are stamped with.
  uint64_t image_stamp(uint64_t number) const;
  // Leaves out numbers.
  void set_next_number(uint64_t number) { next_ = std::max(next_, number); }
  std::string next_image() const { return image_path(next_); }
  // The next image is complete and synced: from now on it stands.
  Status stand();
  // Only the one that stands is left.
  Status forget_previous();

  // Keeps so much space for the next image, or what there is of it, or gives it up; a run that is opened has none.
  void reserve(uint64_t bytes);
  void give_up_reserve();

  // The run is over, and nothing of it is left.
  void remove();

 private:
  explicit CheckpointFolder(std::string path) : path_(std::move(path)) {}
  Status lock(bool fresh);
  // Finds names for the folders of the files; then makes them.
  void name_folders(const std::vector<std::string>& disks, std::vector<uint64_t> also);
  Status make_folders() const;
  Status remove_remains();
  void remove_files() const;
  Status check_owner(const std::string& folder) const;
  Status find_folders(const std::vector<std::string>& disks);
  Status parse(const std::string& name);
  std::string text() const;
  Status write(const char* name = "checkpoint") const;
  std::string image_path(uint64_t number) const;
  void remove_images() const;

  const std::string path_;
  int lock_ = -1;
  std::string id_;
  std::string run_hash_;
  std::vector<std::string> folders_;         // of the files; the first one is DIR/files
  std::vector<std::vector<uint64_t>> eras_;  // their numbers
  uint64_t number_ = 0, previous_ = 0, next_ = 1;
  uint64_t reserved_ = 0;  // bytes
};

}  // namespace strata
