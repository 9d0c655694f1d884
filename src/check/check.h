// One check, from the question to the answer, as the command `check` (tool/command) and the library (api) run it.
//
//   Check check(options, environment);
//   check.prepare()   reads the question, loads the model, decides how to search it
//   check.search()    searches, and returns the answer
//
// Between the two, callers may look at the plan of the search and change the folder of its files. A check prints
// nothing, handles no signal and writes no report: callers pass an environment that does.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "check/check_device.h"
#include "check/model_file.h"
#include "check/notes.h"
#include "engine/contract/algorithm.h"
#include "options/options.h"
#include "property/answer/answer.h"
#include "property/ask/task.h"
#include "report/progress/progress_board.h"
#include "report/run_info.h"

namespace strata {

struct CheckEnvironment {
  const std::atomic<bool>& stop;  // becomes true: the check ends soon
  Notes notes;
  // Receives the texts of `put` statements; null: they are dropped.
  void (*put)(void* context, const char* text, uint64_t length) = nullptr;
  void* put_context = nullptr;
  const std::atomic<bool>* to_disk = nullptr;   // becomes true: `serial` moves to disk
  std::atomic<bool>* progress_asked = nullptr;  // becomes true: a line of progress is printed
  cluster::Exchange* exchange = nullptr;        // the other ranks; null: there are none
  uint64_t processes = 1;                       // ranks on this machine
};

class Check {
 public:
  // The options must outlive the check.
  Check(const Options& options, CheckEnvironment environment);
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  // The properties that the options ask for. Each needs a check of its own (several_checks.h).
  Result<std::vector<Asking>> properties() { return file_.properties(); }
  Status prepare(const Asking& asking);
  // An error if the options ask for several properties.
  Status prepare();
  // REQUIRES for all that follows: prepare() succeeded.
  const Task& task() const { return task_; }
  const Model& model() const { return task_.searched(); }
  const Algorithm& algorithm() const { return *algorithm_; }
  const SearchOptions& search_options() const { return search_; }
  SearchOptions& search_options() { return search_; }
  const ModelFile& file() const { return file_; }
  const Options& options() const { return options_; }
  // Null: the processor searches.
  const CheckDevice* device() const { return device_.get(); }
  const ProgressBoard& board() const { return board_; }
  ProgressBoard& board() { return board_; }

  // The checkpoints of this run, and those of other ranks from which it continues; null: none.
  struct Saved {
    Checkpoints* checkpoints = nullptr;
    OldRanks* old_ranks = nullptr;
  };
  // `watch`: its result lives as long as the search.
  using Watch = std::function<std::shared_ptr<void>(const ProgressBoard&)>;
  Result<Answer> search(const Saved& saved, const Watch& watch = {});
  Result<Answer> search() { return search(Saved{}); }
  // How the search was run, for reports.
  RunInfo run_info() const;

 private:
  Status decide();
  Status choose_device();
  void leave_device();
  Status try_symmetry() const;

  const Options& options_;
  const CheckEnvironment around_;
  ModelFile file_;
  const ModelLoader load_;
  SearchOptions search_;
  std::string name_;  // of the property
  Task task_;
  const Algorithm* algorithm_ = nullptr;
  std::unique_ptr<CheckDevice> device_;
  ProgressBoard board_;
};

}  // namespace strata
