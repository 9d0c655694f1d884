// The folders of one rank: those of its disks, and the folder of its part of the run within that of --checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cluster/transport/transport.h"
#include "options/options.h"
#include "store/checkpoint/rank_sets.h"

namespace strata {

// A run that continues with another number of ranks.
struct Regroup {
  SavedSet saved;
  std::vector<uint64_t> own;  // the folders that this rank reads, by their numbers in saved.folders
  uint64_t passes = 0;        // the most folders that any rank reads
  std::string folder;         // that of --checkpoint
  std::string described;      // a folder of the run that has its description
};

// What a rank of a resumed run resumes.
struct ResumedPart {
  bool of_one_process = false;  // the run is that of a process alone, in the folder of --checkpoint itself
  std::string folder;           // this rank's
  bool previous = false;        // from the checkpoint before the last one
  bool anew = false;            // there is no checkpoint: the run begins again
  std::optional<Regroup> regroup;
};

class RankFolders {
 public:
  // Null: this process is alone.
  explicit RankFolders(cluster::Transport* transport) : transport_(transport) {}

  // Replaces %r and %h in the folders of --disk by the number and the host of the rank, and makes these folders.
  void name_disks(Options& options) const;
  // The folder for this rank of a run that begins. One that holds a run is refused.
  Result<std::string> begin(const std::string& folder) const;
  // Chooses the checkpoint that all ranks have.
  Result<ResumedPart> resume(const std::string& folder, bool previous) const;
  // Removes the folders within that of --checkpoint in which nothing is left, and itself.
  static void remove_empty(const std::string& folder);

 private:
  uint64_t rank() const { return transport_ == nullptr ? 0 : static_cast<uint64_t>(transport_->rank()); }
  uint64_t count() const { return transport_ == nullptr ? 1 : static_cast<uint64_t>(transport_->ranks()); }
  std::string name() const {
    return transport_ == nullptr ? "this process" : transport_->rank_text(transport_->rank());
  }
  Result<SavedSet> choose_set(const std::string& folder, const std::vector<RankFolder>& here,
                              bool previous) const;
  Status discard_others(const SavedSet& set, const std::string& folder) const;
  Result<ResumedPart> resume_same(const SavedSet& set, const std::string& folder) const;
  Result<ResumedPart> resume_regrouped(const SavedSet& set, const std::string& folder) const;

  cluster::Transport* const transport_;
};

}  // namespace strata
