// A run that mpirun or srun started as several processes: what this process is among them, and what that changes. Rank
// 0 speaks for all ranks: the others print nothing and write no report, unless rank 0 is lost.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cluster/agreement.h"
#include "cluster/launch.h"
#include "cluster/rounds/exchange.h"
#include "options/options.h"
#include "report/progress/progress_board.h"
#include "tool/ranks/quiet_streams.h"
#include "tool/ranks/rank_folders.h"

namespace strata {

class Ranks {
 public:
  // Joins the others, if there are any. In all but rank 0 standard output and standard error go nowhere from then on.
  // `stop`: a signal asks this process to end.
  static Result<std::unique_ptr<Ranks>> join(const std::atomic<bool>& stop);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  // Null if this process is alone.
  cluster::Exchange* exchange() { return exchange_.get(); }
  bool several() const { return exchange_ != nullptr; }
  // The number of ranks, and of those on this host.
  uint64_t count() const { return several() ? exchange_->ranks() : 1; }
  uint64_t on_this_host() const { return on_this_host_; }

  // The options of this rank: %r and %h in folders are its number and its host, and its checkpoints are in a folder of
  // its own within that of --checkpoint. All ranks of a resumed run choose a checkpoint that they all have.
  Result<Options> adapt(const Options& options);
  // Names the folders of --disk for this rank.
  void name_disks(Options& options) const { folders().name_disks(options); }
  // Null: the run begins, or continues with as many ranks as it had.
  const Regroup* regroup() const { return regroup_ ? &*regroup_ : nullptr; }
  // Only rank 0 writes reports.
  Options without_reports(const Options& options) const;
  // Removes the folders within that of --checkpoint in which nothing is left, and itself.
  void remove_folders(const std::string& folder) const;
  // Makes the board show the sums of all ranks; the board must not outlive this object.
  void share(ProgressBoard& board);
  // An error unless these are the same on all ranks.
  Status agree(const std::vector<cluster::Trait>& traits) const;
  // This rank cannot continue: the others end too. One rank may speak from now on.
  void fail(const Status& status);
  // The last call before the process ends; all ranks end together.
  void finish();

 private:
  Ranks() = default;
  RankFolders folders() const { return RankFolders(several() ? transport_.get() : nullptr); }
  Status resume_run(const Options& options, Options& own);

  std::unique_ptr<cluster::Transport> transport_;
  std::unique_ptr<cluster::Exchange> exchange_;
  uint64_t on_this_host_ = 1;
  std::optional<Regroup> regroup_;
  QuietStreams streams_;
};

}  // namespace strata
