#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <new>
#include <system_error>
#include <utility>

#include "api/api_result.h"
#include "api/run.h"
#include "api/strata.h"
#include "base/locks/mutex.h"
#include "base/process/own_stack.h"
#include "base/process/run_program.h"
#include "base/system/process_memory.h"

namespace strata::api {
namespace {

// Whether a check runs in this process: memory is measured, and programs are stopped, for the process as a whole.
std::atomic<bool> turn_taken{false};

class Turn {
 public:
  Turn() : taken_(!turn_taken.exchange(true)) {}
  ~Turn() {
    if (taken_) turn_taken = false;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  bool taken() const { return taken_; }

 private:
  const bool taken_;
};

using Work = std::function<Status()>;

Status without_exceptions(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status::system("the system has no memory left; set a smaller memory");
  } catch (const std::exception& error) {
    return Status::internal(error.what());
  }
}

// Runs the work on a large stack, whatever the size of the caller's.
Status on_large_stack(const Work& work) {
  Status status;
  run_on_own_stack([&] {
    status = without_exceptions(work);
    return 0;
  });
  return status;
}

}  // namespace

struct Check::Implementation {
  class Running;

  Implementation(Model model_, Options options_) : model(std::move(model_)), options(std::move(options_)) {}

  Status prepare();
  // Loads the model if needed, and searches it if `search`, on another thread.
  std::optional<Error> supervise(bool search);
  void wait(std::future<Status>& done);
  bool tell(double seconds) const;
  void cancel();

  const Model model;
  const Options options;
  std::function<bool(const Progress&)> callback;
  std::chrono::duration<double> interval{1};
  std::shared_ptr<Run> run;  // the last run, or the loaded one
  bool loaded = false;

  Mutex mutex;
  bool cancelled GUARDED_BY(mutex) = false, running GUARDED_BY(mutex) = false;
};

// Sets the options and loads the model.
Status Check::Implementation::prepare() {
  strata::Options& own = run->options;
  own.command = kCheck;
  own.progress = ProgressChoice::off;
  std::vector<std::pair<std::string, std::string>> values;
  if (!model.language_.empty()) values.emplace_back("language", model.language_);
  values.insert(values.end(), options.values_.begin(), options.values_.end());
  if (Status status = set_options(values, own); !status.ok()) return status;
  if (!model.is_text_ && model.path_ == "-")
    return Status::usage("'-' is not a file: give the text of the model itself");
  if (model.is_text_ && own.language.empty())
    return Status::usage("a model that is given as text needs a language: " + language_words());
  own.model = model.is_text_ ? "-" : model.path_;
  own.name = model.path_;
  if (model.is_text_) own.input = SourceFile(model.path_, model.text_);
  return run->prepare();
}

void Check::Implementation::cancel() {
  const MutexLock lock(mutex);
  cancelled = true;
  if (!running) return;
  run->stop = true;
  stop_programs_in_signal();
}

// While this object exists, cancel() stops the run. Programs may run again, unless the check was cancelled before.
class Check::Implementation::Running {
 public:
  explicit Running(Implementation& check) : check_(check) { set(true); }
  ~Running() { set(false); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  void set(bool on) {
    const MutexLock lock(check_.mutex);
    check_.running = on;
    allow_programs();
    if (!on || !check_.cancelled) return;
    check_.run->stop = true;
    stop_programs_in_signal();
  }

  Implementation& check_;
};

// False: the caller cancels the check.
bool Check::Implementation::tell(double seconds) const {
  if (!callback) return true;
  Progress progress;
  progress.seconds = seconds;
  progress.memory = resident_bytes();
  progress.phase = "loading the model";
  if (run->searching) {
    const ProgressBoard& board = run->check->board();
    progress.phase = board.phase().empty() ? "starting" : board.phase();
    progress.states = board.states.load(std::memory_order_relaxed);
    progress.transitions = board.transitions.load(std::memory_order_relaxed);
    progress.queue = board.queue.load(std::memory_order_relaxed);
    progress.levels = board.levels().size();
    progress.disk = board.disk_used.load(std::memory_order_relaxed);
  }
  return callback(progress);
}

// Waits on the caller's thread, where callbacks belong; the work is on another.
void Check::Implementation::wait(std::future<Status>& done) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // A callback that has cancelled the check is not called again.
  bool goes_on = true;
  try {
    while (done.wait_for(interval) != std::future_status::ready) {
      if (!goes_on || tell(seconds())) continue;
      goes_on = false;
      cancel();
    }
    if (goes_on) tell(seconds());
  } catch (...) {
    cancel();
    done.wait();
    throw;
  }
}

std::optional<Error> Check::Implementation::supervise(bool search) {
  const Turn turn;
  if (!turn.taken()) {
    Error busy = public_error(
        model.path_, Status::usage("another check is running in this process; run them one after the other"));
    busy.kind = Error::Kind::busy;
    return busy;
  }
  if (!loaded) run = std::make_shared<Run>();
  const Running while_this_lives(*this);
  std::future<Status> done;
  try {
    done = std::async(std::launch::async, [&] {
      return on_large_stack([&] {
        const Status status = loaded ? Status() : prepare();
        return status.ok() && search ? run->search() : status;
      });
    });
  } catch (const std::system_error& error) {
    return public_error(model.path_, Status::system(std::string("starting a thread: ") + error.what()));
  }
  wait(done);
  const Status status = done.get();
  if (status.ok()) return std::nullopt;
  return public_error(model.path_, status);
}

Check::Check(Model model, Options options)
    : implementation_(std::make_unique<Implementation>(std::move(model), std::move(options))) {}
Check::~Check() = default;
Check::Check(Check&& other) noexcept = default;
Check& Check::operator=(Check&& other) noexcept = default;

void Check::on_progress(std::function<bool(const Progress&)> callback, double seconds) {
  implementation_->callback = std::move(callback);
  implementation_->interval = std::chrono::duration<double>(std::max(seconds, 0.001));
}

std::optional<Error> Check::load() {
  Implementation& own = *implementation_;
  if (own.loaded) return std::nullopt;
  std::optional<Error> error = own.supervise(false);
  own.loaded = !error;
  return error;
}

ModelInfo Check::model() const {
  return implementation_->loaded ? public_model(implementation_->run->check->model().info()) : ModelInfo();
}

Result Check::run() {
  Implementation& own = *implementation_;
  std::optional<Error> error = own.supervise(true);
  const bool refused = error && error->kind == Error::Kind::busy;
  if (!refused) own.loaded = false;
  return Result(std::make_shared<Result::Implementation>(refused ? nullptr : own.run, std::move(error)));
}

void Check::cancel() { implementation_->cancel(); }

Model Model::file(std::string path) {
  Model model;
  model.path_ = std::move(path);
  return model;
}

Model Model::text(std::string text, std::string language, std::string name) {
  Model model;
  model.is_text_ = true;
  model.path_ = std::move(name);
  model.text_ = std::move(text);
  model.language_ = std::move(language);
  return model;
}

}  // namespace strata::api
