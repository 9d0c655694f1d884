// The folders of the files of a run that can be resumed: DIR/files, and in each further folder (--disk) one with the
// name strata-checkpoint-ID-K, whose file `owner` has the path of DIR. The manifest lists them, and which of them the
// blocks of each era are striped over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "block/checkpoint/manifest.h"

namespace strata {

class FileFolders {
 public:
  // `run` is DIR, an absolute path. The manifest must outlive this.
  FileFolders(const std::string& run, CheckpointManifest& manifest) : run_(run), manifest_(manifest) {}

  // Lists folders in `disks`, of which a new era makes use, together with the folders `also`. make() makes them.
  void add(const std::vector<std::string>& disks, std::vector<uint64_t> also);
  Status make() const;
  // Finds the listed folders where they were, or in `disks`, to where they were moved. Those of `disks` that have
  // none of them get a new one and begin an era. `changed`: the manifest is to be written.
  Status find(const std::vector<std::string>& disks, bool& changed);
  // Removes all of them with their files. The file system frees the space later (block/storage/free_later.h).
  void remove() const;
  // The folders of each era.
  std::vector<std::vector<std::string>> eras() const;

 private:
  uint64_t count() const { return 1 + manifest_.folders.size(); }
  std::string folder(uint64_t number) const {
    return number == 0 ? run_ + "/files" : manifest_.folders[number - 1];
  }
  Status check_owner(const std::string& folder) const;

  const std::string& run_;
  CheckpointManifest& manifest_;
};

}  // namespace strata
