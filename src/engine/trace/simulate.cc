#include "engine/trace/simulate.h"

#include <algorithm>
#include <chrono>

#include "base/random.h"
#include "engine/trace/replay.h"

namespace strata {

namespace {

using Clock = std::chrono::steady_clock;

class Walk {
 public:
  Walk(const Model& model, const SimulateOptions& options)
      : model_(model),
        options_(options),
        random_(options.seed),
        start_(model.info(), std::max<uint64_t>(model.info().max_initial, 1)),
        out_(model.info(), std::max<uint64_t>(model.info().max_successors, 1)) {
    out_.deadlock = options.deadlock;
    out_.check_properties = options.check_properties;
    out_.emit_self_loops = true;
  }

  Expansion& expansion() { return out_; }

  void run(const std::atomic<bool>& stop, SimulateResult& result) {
    const auto began = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
    model_.initial(start_);
    if (!start_.failures.empty()) {
      fail(start_.failures.front(), result);
    } else if (start_.count > 0) {
      restart(result);
      while (step(result)) {
        if (result.steps % 1024 != 0) continue;
        if (stop.load(std::memory_order_relaxed)) {
          result.stop = StopReason::interrupted;
        } else if (options_.time_limit && elapsed() > *options_.time_limit) {
          result.stop = StopReason::time;
        } else {
          continue;
        }
        break;
      }
      result.path = path_;
    }
    result.seconds = elapsed();
  }

 private:
  void restart(SimulateResult& result) {
    const uint64_t i = random_.below(start_.count);
    path_.clear();
    extend(start_, i);
    ++result.walks;
  }

  void extend(const Expansion& from, uint64_t i) {
    const uint8_t* state = from.successor(i);
    path_.push_back({from.rules[i], std::vector<uint8_t>(state, state + from.state_bytes)});
  }

  // False: the simulation has ended.
  bool step(SimulateResult& result) {
    out_.reset();
    model_.expand(path_.back().state.data(), 1, out_);
    result.transitions += out_.transitions;
    if (!out_.failures.empty()) {
      fail(out_.failures.front(), result);
      return false;
    }
    if (result.steps == options_.steps) return false;
    ++result.steps;
    if (out_.count == 0 || path_.size() > options_.depth) {
      restart(result);
    } else {
      extend(out_, random_.below(out_.count));
      result.deepest = std::max<uint64_t>(result.deepest, path_.size() - 1);
    }
    return true;
  }

  void fail(Failure failure, SimulateResult& result) {
    failure.state = 0;
    Counterexample found;
    found.failure = failure;
    found.text = model_.describe_failure(failure);
    found.steps = path_;
    result.failure = std::move(found);
  }

  const Model& model_;
  const SimulateOptions& options_;
  Random random_;
  Expansion start_, out_;
  std::vector<TraceStep> path_;
};

}  // namespace

Result<SimulateResult> simulate(const Model& model, const SimulateOptions& options,
                                const std::atomic<bool>& stop,
                                void (*put)(void* context, const char* text, uint64_t length),
                                void* put_context) {
  SimulateResult result;
  Walk walk(model, options);
  walk.expansion().put = put;
  walk.expansion().put_context = put_context;
  walk.run(stop, result);
  if (result.failure) {
    const Status status = replay(model, options.deadlock, *result.failure);
    if (!status.ok()) return status;
  }
  return result;
}

}  // namespace strata
