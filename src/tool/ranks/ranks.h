// A run that mpirun or srun started several times: what this process is among them, and what that changes.
// Rank 0 speaks for all: the others print nothing and write no report, unless rank 0 is lost.
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
#include "store/checkpoint/rank_sets.h"

namespace strata {

// A run that goes on with another number of ranks.
struct Regroup {
  SavedSet saved;
  std::vector<uint64_t> own;  // of its folders, those that this rank reads
  uint64_t passes = 0;        // as many as any rank reads
  std::string folder;         // that of --checkpoint
  std::string described;      // one of the folders, which has the run's description
};

class Ranks {
 public:
  // Joins the others, if there are any. In all but rank 0 standard output and standard error go nowhere from then on.
  // `stop`: a signal asks this process to end.
  static Result<std::unique_ptr<Ranks>> join(const std::atomic<bool>& stop);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  // Null: this process is alone.
  cluster::Exchange* exchange() { return exchange_.get(); }
  bool several() const { return exchange_ != nullptr; }
  // How many, and how many of them run on this host.
  uint64_t count() const { return several() ? exchange_->ranks() : 1; }
  uint64_t on_this_host() const { return on_this_host_; }

  // The options of this rank: %r and %h in folders are its number and its host, and what it saves is in a
  // folder of its own within that of --checkpoint. Of a run that is resumed, it finds out which checkpoint
  // all ranks have.
  Result<Options> adapt(const Options& options);
  void name_disks(Options& options) const;
  // Null: the run goes on with as many ranks as it had, or begins.
  const Regroup* regroup() const { return regroup_ ? &*regroup_ : nullptr; }
  // Reports are those of rank 0.
  Options without_reports(const Options& options) const;
  // The run is over, or a part of it: removes folders within that of --checkpoint in which nothing is left, and itself.
  void remove_folders(const std::string& folder) const;
  // Has the board show what all ranks count; the board must not outlive this.
  void share(ProgressBoard& board);
  // What all must have in common.
  Status agree(const std::vector<cluster::Trait>& traits) const;
  // This rank cannot go on: the others end too. One rank may speak from now on.
  void fail(const Status& status);
  // The last call before the process ends; all ranks end together.
  void finish();

 private:
  Ranks() = default;
  void be_quiet();
  Status begin_run(const Options& options, Options& own) const;
  Status resume_run(const Options& options, Options& own);
  Result<SavedSet> choose_set(const std::vector<RankFolder>& here, const Options& options) const;
  Status plan_regroup(const SavedSet& set, const std::string& folder);
  void speak();

  std::unique_ptr<cluster::Transport> transport_;
  std::unique_ptr<cluster::Exchange> exchange_;
  uint64_t on_this_host_ = 1;
  std::optional<Regroup> regroup_;
  int stderr_ = -1;  // the real one, of a rank that is quiet
};

}  // namespace strata
