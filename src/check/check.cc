#include "check/check.h"

#include <fmt/format.h>

#include <utility>

#include "check/load_model.h"
#include "check/run_search.h"
#include "check/thread_stack.h"
#include "property/answer/fold_search.h"
#include "property/answer/share_search.h"
#include "property/ask/ask.h"
#include "property/ask/fit_algorithm.h"
#include "property/symmetry/symmetry_check.h"

namespace strata {

Check::Check(const Options& options, CheckEnvironment environment)
    : options_(options),
      around_(std::move(environment)),
      file_(options, around_.notes),
      load_([this](const LoadRequest& request) { return file_.load(request); }) {}

Status Check::prepare() {
  const Result<std::vector<Asking>> askings = properties();
  if (!askings.ok()) return loading_failed(around_.stop, askings.status());
  if (askings->size() == 1) return prepare(askings->front());
  return Status::usage(
      fmt::format("the model has {} formulas to check beside its other properties, and this check answers "
                  "one question: --safety "
                  "leaves them out, --property NAME checks one of them",
                  askings->size() - 1));
}

Status Check::prepare(const Asking& asking) {
  const Result<const Algorithm*> chosen = choose_algorithm(options_);
  if (!chosen.ok()) return chosen.status();
  algorithm_ = *chosen;
  Result<SearchOptions> wanted = strata::search_options(options_, around_.notes, around_.processes);
  if (!wanted.ok()) return wanted.status();
  search_ = std::move(*wanted);
  name_ = asking.name;
  Result<Task> task = ask(file_.question(asking), load_);
  if (!task.ok() || around_.stop) return loading_failed(around_.stop, task.status());
  task_ = std::move(*task);
  return decide();
}

// Adapts the chosen algorithm and options to the question.
Status Check::decide() {
  const Result<const Algorithm*> fitting = fit_algorithm(task_, *algorithm_, search_, options_.deadlock);
  if (!fitting.ok()) return fitting.status();
  algorithm_ = *fitting;
  if (Status status = choose_device(); !status.ok()) return status;
  search_.deadlock = options_.deadlock.value_or(task_.deadlock());
  if (algorithm_->has(trait::one_thread)) search_.threads = 1;
  return check_disk(options_, *algorithm_, search_, around_.notes);
}

// A search that was to run on a device runs on the processor if no device can run it, unless the user named the
// algorithm.
Status Check::choose_device() {
  if (options_.resumes && options_.device == "none" && algorithm_->has(trait::on_device))
    algorithm_ = find_algorithm("auto");
  const Result<bool> wanted = wants_device(options_, *algorithm_);
  if (!wanted.ok() || !*wanted) return wanted.status();
  std::string refused = refuse_device(task_, options_);
  StatusCode code = StatusCode::usage;
  if (refused.empty()) {
    Result<std::unique_ptr<CheckDevice>> opened = CheckDevice::open(options_, search_);
    if (opened.ok()) {
      device_ = std::move(*opened);
      if (!algorithm_->has(trait::on_device)) algorithm_ = &device_algorithm();
      return {};
    }
    refused = opened.status().message();
    code = opened.status().code();
  }
  if (algorithm_->has(trait::on_device))
    return Status(code, fmt::format("--algorithm {}: {}", algorithm_->name, refused));
  around_.notes.warning(fmt::format("--device {}: the processor searches: {}", options_.device, refused));
  return {};
}

// Tests on a few states whether the model has the symmetries that it claims.
Status Check::try_symmetry() const {
  if (task_.views.quotient() == nullptr) return {};
  SymmetryCheck check;
  check.states = options_.symmetry_check;
  check.deadlock = search_.deadlock;
  check.propositions = !task_.views.empty() || !task_.model->info().goals.empty();
  return check_symmetry(*task_.model, check, around_.stop);
}

// What several processes have saved comes to the processor.
void Check::leave_device() {
  around_.notes.warning("--device: the processor continues what several processes have saved");
  device_.reset();
  algorithm_ = find_algorithm("auto");
}

Result<Answer> Check::search(const Saved& saved, const Watch& watch) {
  if (saved.old_ranks != nullptr && device_) leave_device();
  const SearchContext context{model(),         search_,           board_,
                              around_.stop,    around_.put,       around_.put_context,
                              around_.to_disk, saved.checkpoints, around_.exchange,
                              saved.old_ranks, nullptr,           device_ ? &device_->search() : nullptr};
  const Runner run = sharing(folding([&](const Algorithm& row, const SearchContext& with) {
    return run_search(row, with, {options_.progress, around_.progress_asked, search_.memory});
  }));
  Result<Answer> answer = with_room_for_states(model().info(), [&]() -> Result<Answer> {
    const std::shared_ptr<void> watcher = watch ? watch(board_) : nullptr;
    if (Status status = try_symmetry(); !status.ok()) return status;
    return find_answer(task_, *algorithm_, context, load_, run);
  });
  // It can continue what a device cannot.
  if (answer.ok() && device_ && options_.resumes && !answer->result.device && answer->result.states > 0)
    algorithm_ = find_algorithm("auto");
  if (answer.ok()) answer->result.seconds.compile = file_.stats().seconds;
  return answer;
}

RunInfo Check::run_info() const {
  RunInfo run;
  run.version = STRATA_VERSION;
  run.algorithm = algorithm_->name;
  run.threads = search_.threads;
  run.deadlock = search_.deadlock;
  run.trace = options_.trace;
  run.coverage = options_.coverage;
  run.store = search_.store;
  run.symmetry = task_.model->symmetry();
  run.name = name_;
  run.property = task_.property;
  run.propositions = task_.propositions;
  run.cycles = task_.seeks_cycles();
  run.fairness = task_.fairness;
  run.resumable = algorithm_->has(trait::resumable);
  return run;
}

}  // namespace strata
