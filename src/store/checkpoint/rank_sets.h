// The checkpoints of several ranks, within the folder of --checkpoint:
//
//   DIR/part.P/rank.K.of.N   the folder of rank K (block/checkpoint/checkpoint_folder.h), of N ranks
//
// A run that goes on with another number of ranks does so in another part, whose number is higher; the part
// before it stays until each rank of the new one has a checkpoint. So more than one part is there for a
// while, and after a process was killed; the highest that is complete counts. A process alone has its run in
// DIR itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

// A folder that a rank sees. `ranks` 0: that of a process alone, which is part 0.
struct RankFolder {
  uint64_t part = 0, rank = 0, ranks = 0;
  uint64_t last = 0, previous = 0;  // the checkpoints that stand; 0: none
  bool remains = false;             // only what is left of one that is not to be resumed
  std::string id = "?";             // of the run, as a word; "?": nobody knows

  bool has(uint64_t number) const { return number == last || number == previous; }
};

std::string rank_folder(const std::string& folder, uint64_t part, uint64_t rank, uint64_t ranks);
inline std::string path_of(const std::string& folder, const RankFolder& found) {
  return found.ranks == 0 ? folder : rank_folder(folder, found.part, found.rank, found.ranks);
}
// All that are there.
std::vector<RankFolder> find_rank_folders(const std::string& folder);

// For telling other ranks.
std::string rank_folders_text(const std::vector<RankFolder>& folders);
std::vector<RankFolder> parse_rank_folders(const std::string& text);

// The part of a run that is resumed.
struct SavedSet {
  uint64_t part = 0, ranks = 0;             // 0 ranks: of a process alone
  uint64_t number = 0;                      // the checkpoint that all have; 0: none, the run begins anew
  std::vector<RankFolder> folders;          // of its ranks
  std::vector<std::vector<uint64_t>> seen;  // by which of the ranks that there are now
  // Folders that nobody resumes, which go, and a rank that sees each.
  struct Other {
    RankFolder folder;
    uint64_t seen_by = 0;
  };
  std::vector<Other> others;
  uint64_t newest_part = 0;  // of all
  std::string id;            // of the run

  // Which of so many ranks reads which of the folders: readers()[k] reads folder k.
  std::vector<uint64_t> readers(uint64_t ranks_now) const;
};

// What to go on with, of what each rank sees, which must be of one run; `previous`: not from the last
// checkpoint but from the one before. The same on all ranks.
Result<SavedSet> choose_saved(const std::string& folder, const std::vector<std::vector<RankFolder>>& seen,
                              bool previous);

}  // namespace strata
