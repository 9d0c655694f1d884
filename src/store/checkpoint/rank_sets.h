// The checkpoints of several ranks, within the folder of --checkpoint:
//
//   DIR/part.P/rank.K.of.N   the folder of rank K (block/checkpoint/checkpoint_folder.h), of N ranks
//
// A run that continues with another number of ranks does so in another part with a higher number; the part before is
// kept until each rank of the new part has a checkpoint. So there is more than one part for a while, and after a
// process was killed; the highest part that is complete counts. The run of a single process is in DIR itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

// A folder that a rank sees. `ranks` 0: the folder of a single process, which is part 0.
struct RankFolder {
  uint64_t part = 0, rank = 0, ranks = 0;
  uint64_t last = 0, previous = 0;  // the valid checkpoints; 0: none
  bool remains = false;             // only the rest of a run that cannot be resumed
  std::string id = "?";             // of the run, as a word; "?": unknown

  bool has(uint64_t number) const { return number == last || number == previous; }
};

std::string rank_folder(const std::string& folder, uint64_t part, uint64_t rank, uint64_t ranks);
inline std::string path_of(const std::string& folder, const RankFolder& found) {
  return found.ranks == 0 ? folder : rank_folder(folder, found.part, found.rank, found.ranks);
}
// All folders that exist.
std::vector<RankFolder> find_rank_folders(const std::string& folder);

// For a message to other ranks.
std::string rank_folders_text(const std::vector<RankFolder>& folders);
std::vector<RankFolder> parse_rank_folders(const std::string& text);

// The part of a run that is resumed.
struct SavedSet {
  uint64_t part = 0, ranks = 0;             // 0 ranks: of a process alone
  uint64_t number = 0;                      // the checkpoint that all have; 0: none, the run begins again
  std::vector<RankFolder> folders;          // of its ranks
  std::vector<std::vector<uint64_t>> seen;  // by which of the present ranks
  // Folders that are not resumed, to be removed, and a rank that sees each.
  struct Other {
    RankFolder folder;
    uint64_t seen_by = 0;
  };
  std::vector<Other> others;
  uint64_t newest_part = 0;  // of all
  std::string id;            // of the run

  // Which of the ranks reads which folder: readers()[k] reads folder k.
  std::vector<uint64_t> readers(uint64_t ranks_now) const;
};

// Chooses what to resume from the folders that each rank sees, which must be of one run; `previous`: from the
// checkpoint before the last. The same on all ranks.
Result<SavedSet> choose_saved(const std::string& folder, const std::vector<std::vector<RankFolder>>& seen,
                              bool previous);

}  // namespace strata
