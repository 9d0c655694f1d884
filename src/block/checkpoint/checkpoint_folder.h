// The folder of --checkpoint: a run that can be resumed (doc/formats.md).
//
//   DIR/run          what the run is, as its maker wrote it
//   DIR/checkpoint   the manifest: which checkpoint is valid, and where the files are; replaced as a whole (manifest.h)
//   DIR/image.N      checkpoint N: the values that a search consists of, and the ends of its files
//   DIR/files/       the search's files (checkpoint_storage.h); further folders for them are strata-checkpoint-ID-K in
//                    each further disk (file_folders.h)
//   DIR/lock         which process uses the run (folder_lock.h)
//   DIR/reserve      space for the last image, if the disk is full by then (reserve.h)
//   DIR/remains      instead of DIR/checkpoint, while a run is being made or removed: a manifest that lists what the
//                    next run in this folder removes, if the process is killed
//
// Two checkpoints are kept: the valid one and the one before it. The older one is removed when a new one is complete
// (write, fsync, rename, fsync of the folder). Only the owner can read the folder.
//
// Files of another run are found out: DIR/checkpoint has the hash of DIR/run, the blocks of an image are stamped with
// the run's id, and an image has the marks of the files (checkpoint_storage.h).
//
// Thread safety: none; one thread at a time uses an object.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "block/checkpoint/file_folders.h"
#include "block/checkpoint/folder_lock.h"
#include "block/checkpoint/manifest.h"
#include "block/checkpoint/reserve.h"

namespace strata {

class CheckpointFolder {
 public:
  // Begins a run in a folder that does not exist, is empty, or has only the remains of a run. `disks`: further
  // folders for its files. `run`: the text of DIR/run. `id`: new_id(), which the folders of all ranks of a run share.
  static Result<std::unique_ptr<CheckpointFolder>> create(const std::string& folder,
                                                          const std::vector<std::string>& disks,
                                                          const std::string& run,
                                                          const std::string& id = new_id());
  static std::string new_id();
  // Opens a run that has ended, to continue from its last checkpoint, from the one before, or from the beginning.
  // Folders of files that were moved are looked for in `disks`. If `disks` names folders that the run did not have,
  // new files are in the folders of `disks` alone.
  enum class From { last, previous, none };
  static Result<std::unique_ptr<CheckpointFolder>> open(const std::string& folder,
                                                        const std::vector<std::string>& disks, From from);
  // The numbers of the last checkpoint and of the one before (0: none), and the id of the run.
  struct Standing {
    uint64_t last = 0, previous = 0;
    std::string id;
  };
  static Result<Standing> standing(const std::string& folder);
  // Removes a run, or what is left of one.
  static Status discard(const std::string& folder);
  // The `run` that create() was given; an error where the file is another one.
  static Result<std::string> read_run(const std::string& folder);

  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  const std::string& path() const { return path_; }
  // The folders of each era (checkpoint_storage.h).
  std::vector<std::vector<std::string>> eras() const { return files_.eras(); }
  // The folders of new files.
  std::vector<std::string> folders() const { return eras().back(); }

  // The number of the valid checkpoint; 0: there is none.
  uint64_t number() const { return manifest_.number; }
  bool has_previous() const { return manifest_.previous != 0; }
  // The files of the valid image, and of the next one.
  std::string image() const { return image_path(manifest_.number); }
  uint64_t next_number() const { return manifest_.next; }
  // The stamp of the blocks of an image of this run.
  uint64_t image_stamp(uint64_t number) const;
  // Leaves out numbers.
  void set_next_number(uint64_t number) { manifest_.next = std::max(manifest_.next, number); }
  std::string next_image() const { return image_path(manifest_.next); }
  // Makes the next image the valid one.
  // REQUIRES: the image is complete and synced.
  Status stand();
  // Keeps only the valid checkpoint.
  Status forget_previous();

  // Keeps so much space for the next image, or as much as there is. A run that is opened has none.
  void reserve(uint64_t bytes) { reserve_.keep(bytes); }
  void give_up_reserve() { reserve_.give_up(); }

  // Removes the run, which is over.
  void remove();

 private:
  explicit CheckpointFolder(std::string path);
  Status lock(bool fresh);
  Status read(const char* name);
  Status write(const char* name) const;
  Status begin(const std::vector<std::string>& disks, const std::string& run);
  Status choose(From from);
  Status remove_remains();
  void remove_files() const;
  std::string image_path(uint64_t number) const;
  void remove_old_images() const;

  const std::string path_;
  FolderLock lock_;
  Reserve reserve_;
  CheckpointManifest manifest_;
  FileFolders files_;
};

}  // namespace strata
