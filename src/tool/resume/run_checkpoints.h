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
#include "tool/ranks/rank_folders.h"
#include "tool/resume/stored_run.h"

namespace strata {

// A usage error if the options ask for checkpoints and the algorithm cannot be resumed; the message names those of
// `all` that can.
Status check_resumable(const Options& options, const Algorithm& algorithm, const std::vector<Algorithm>& all);

class RunCheckpoints {
 public:
  // Makes no checkpoints if the options ask for none.
  explicit RunCheckpoints(const Options& options, const Regroup* regroup = nullptr,
                          cluster::Exchange* exchange = nullptr)
      : options_(options), regroup_(regroup), exchange_(exchange) {}

  // Begins a run, or continues one with the same question. Sets search.disk to the folders for the files of the search.
  Status open(const Algorithm& algorithm, const ModelInfo& info, const std::vector<SourceFile>& sources,
              SearchOptions& search);
  Checkpoints* get() const { return checkpoints_.get(); }
  // The checkpoints of another number of ranks, from which the run continues; null: none.
  OldRanks* old_ranks() const { return old_ranks_.get(); }
  // The line that says from where the run continues; empty: it begins.
  std::string start_line() const;

  // Fills in what reports say about checkpoints.
  void describe(const SearchResult& result, RunInfo& run) const;
  // Call after the reports. Removes the checkpoints of a complete run; otherwise returns what to print last.
  std::string end(const SearchResult& result);
  // The same after a failure.
  std::string end(const Status& failure);

 private:
  // Whether the run can be resumed afterwards.
  bool keeps(const SearchResult& result) const;
  std::string resume_command() const;
  std::string resume_lines() const;
  Status open_saved(const Checkpoints::Options& where, const StoredRun& run);
  std::string id_of_new() const;
  Status agree_on_maker() const;
  Status open_origin();
  Status discard_origin() const;
  // The only checkpoint is still that of the other ranks.
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

// A word of a command, quoted for a shell.
std::string shell_word(const std::string& word);

}  // namespace strata
