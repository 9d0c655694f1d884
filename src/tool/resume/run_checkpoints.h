// The checkpoints of one `check`, from its start to its last line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "cluster/rounds/exchange.h"
#include "engine/contract/algorithm.h"
#include "engine/contract/old_ranks.h"
#include "options/options.h"
#include "report/result.h"
#include "report/run_info.h"
#include "store/checkpoint/checkpoints.h"
#include "tool/resume/stored_run.h"
#include "tool/system/ranks.h"

namespace strata {

// A usage error where the options ask for checkpoints and the algorithm cannot be resumed. `all` are those to
// choose from.
Status check_resumable(const Options& options, const Algorithm& algorithm, const std::vector<Algorithm>& all);

class RunCheckpoints {
 public:
  // None where the options ask for none.
  explicit RunCheckpoints(const Options& options, const Regroup* regroup = nullptr,
                          cluster::Exchange* exchange = nullptr)
      : options_(options), regroup_(regroup), exchange_(exchange) {}

  // Begins a run, or goes on with one that has the same question. The files of the search are then where
  // search.disk says.
  Status open(const Algorithm& algorithm, const ModelInfo& info, const std::vector<SourceFile>& sources,
              SearchOptions& search);
  Checkpoints* get() const { return checkpoints_.get(); }
  // Those of another number of ranks, from which the run goes on; null: none.
  OldRanks* old_ranks() const { return old_ranks_.get(); }
  // From where the run goes on; empty: it begins.
  std::string start_line() const;

  // What the reports say of them.
  void describe(const SearchResult& result, RunInfo& run) const;
  // After the reports: a run that is over leaves nothing. Else what to print last.
  std::string end(const SearchResult& result);
  // The same after a failure.
  std::string end(const Status& failure);

 private:
  // Whether the run is to be there afterwards.
  bool keeps(const SearchResult& result) const;
  std::string resume_command() const;
  std::string resume_lines() const;
  Status open_saved(const Checkpoints::Options& where, const StoredRun& run);
  std::string id_of_new() const;
  Status agree_on_maker() const;
  Status open_origin();
  Status discard_origin() const;
  // What the run goes on from is still that of other ranks.
  bool is_elsewhere() const { return old_ranks_ && !old_ranks_->retired(); }
  void add_up_resumed();
  Checkpoints::Resumed last() const;

  const Options& options_;
  const Regroup* const regroup_;
  cluster::Exchange* const exchange_;
  std::unique_ptr<Checkpoints> checkpoints_;
  std::unique_ptr<OldRanks> old_ranks_;
  std::vector<Checkpoints::Resumed> resumed_;  // by all ranks
};

// A word of a command, as a shell takes it.
std::string shell_word(const std::string& word);

}  // namespace strata
