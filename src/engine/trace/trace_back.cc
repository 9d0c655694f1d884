#include "engine/trace/trace_back.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/hash.h"
#include "engine/ranks/joint.h"
#include "engine/trace/replay.h"
#include "engine/trace/starts.h"

namespace strata {

namespace {

using Bytes = std::vector<uint8_t>;

struct Parent {
  Bytes state;
  uint32_t rule = kNoRule;
  bool operator<(const Parent& other) const {
    return state != other.state ? state < other.state : rule < other.rule;
  }
};

// The states whose parents are wanted, each with the best parent found so far. Nearly all successors are none of them,
// which a small table of hash bits tells.
class Targets {
 public:
  using Parents = std::map<Bytes, Parent>;

  void want(const Bytes& state) {
    parents_.emplace(state, Parent());
    marks_[mark(state.data(), state.size())] = true;
  }
  bool empty() const { return parents_.empty(); }
  const Parents& parents() const { return parents_; }

  // What a thread found: the best parents of some targets.
  using Found = std::map<const Bytes*, Parent>;
  void meet(const uint8_t* successor, uint64_t bytes, const uint8_t* parent, uint32_t rule,
            Found& found) const {
    if (!marks_[mark(successor, bytes)]) return;
    const auto target = parents_.find(Bytes(successor, successor + bytes));
    if (target != parents_.end()) improve(found[&target->first], {Bytes(parent, parent + bytes), rule});
  }
  void merge(const Found& found) {
    for (const auto& [state, parent] : found) improve(parents_.at(*state), parent);
  }

 private:
  static constexpr uint64_t kMarks = 1 << 16;
  static uint64_t mark(const uint8_t* state, uint64_t bytes) { return hash_bytes(state, bytes) % kMarks; }
  static void improve(Parent& best, const Parent& other) {
    if (best.state.empty() || other < best) best = other;
  }
  Parents parents_;
  std::vector<bool> marks_ = std::vector<bool>(kMarks, false);
};

// A ^C or SIGTERM ends the search for paths, whether it comes now or has ended the search itself; but paths
// that are found within half a second still are.
class Patience {
 public:
  explicit Patience(const std::atomic<bool>& stop) : stop_(stop) {}

  // Whether it is over. For all threads.
  bool over() {
    if (!stop_.load(std::memory_order_relaxed)) return false;
    const int64_t now = Clock::now().time_since_epoch().count();
    int64_t first = 0;
    if (since_.compare_exchange_strong(first, now)) return false;
    return Clock::duration(now - first) > std::chrono::milliseconds(500);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool>& stop_;
  std::atomic<int64_t> since_{0};
};

// Whole states that are made together, and what may be read behind them.
constexpr uint64_t kWholeAtATime = 64, kWholeSlack = 16;

// Successors that are made together.
uint64_t batch_size(const ModelInfo& info) {
  constexpr uint64_t kMost = 1024, kMostBytes = 128 << 10;
  return std::max(std::min(kMost, kMostBytes / info.state_bytes), info.max_successors);
}

using Buffers = std::vector<std::unique_ptr<Expansion>>;  // of the threads that had something to do

std::unique_ptr<Expansion> make_buffer(const SearchContext& context) {
  auto out = std::make_unique<Expansion>(context.model.info(), batch_size(context.model.info()));
  out->deadlock = DeadlockMode::off;
  // With several errors wanted, earlier epochs may hold states that break an invariant: paths end there.
  out->check_properties = context.options.max_errors > 1;
  return out;
}

// Expands an epoch and notes the parents of the targets. The states of the history are those of `searched`.
Status find_parents(const SearchContext& context, const Model& searched, History& history, uint64_t epoch,
                    Buffers& buffers, Patience& patience, Targets& targets) {
  const uint64_t bytes = context.model.info().state_bytes;
  std::vector<Targets::Found> found(buffers.size());
  const auto expand = [&](unsigned worker, const uint8_t* first, uint64_t count) {
    if (!buffers[worker]) buffers[worker] = make_buffer(context);
    Expansion& out = *buffers[worker];
    for (uint64_t done = 0; done < count && !patience.over(); done += out.consumed) {
      const uint8_t* states = first + done * bytes;
      out.reset();
      context.model.expand(states, count - done, out);
      for (uint64_t i = 0; i < out.count; ++i)
        targets.meet(out.successor(i), bytes, states + out.parents[i] * bytes, out.rules[i], found[worker]);
    }
  };
  const auto expand_whole = [&](unsigned worker, const uint8_t* first, uint64_t count) {
    UntouchedVector<uint8_t> states(kWholeAtATime * bytes + kWholeSlack);
    for (uint64_t done = 0; done < count; done += kWholeAtATime) {
      const uint64_t n = std::min(kWholeAtATime, count - done);
      make_whole(searched, first + done * searched.info().state_bytes, n, states.data());
      expand(worker, states.data(), n);
    }
  };
  const Status status = history.visit(epoch, [&](unsigned worker, const uint8_t* first, uint64_t count) {
    if (&searched == &context.model)
      expand(worker, first, count);
    else
      expand_whole(worker, first, count);
  });
  for (const Targets::Found& part : found) targets.merge(part);
  return status;
}

// The same of all ranks.
class JointParents {
 public:
  explicit JointParents(const Joint& joint) : joint_(joint) {}

  // False: a rank has no patience left, or could not read its states.
  bool merge(bool goes_on, Targets& targets) {
    std::string own(1, goes_on ? 'y' : 'n');
    for (const auto& [state, parent] : targets.parents()) {
      own += parent.state.empty() ? '-' : '+';
      if (parent.state.empty()) continue;
      own.append(reinterpret_cast<const char*>(&parent.rule), sizeof parent.rule);
      own.append(parent.state.begin(), parent.state.end());
    }
    for (const std::string& text : joint_.all(own)) {
      if (text.empty() || text[0] != 'y') goes_on = false;
      if (goes_on) read(text, targets);
    }
    return goes_on;
  }

 private:
  static void read(const std::string& text, Targets& targets) {
    Targets::Found found;
    uint64_t at = 1;
    for (const auto& [state, parent] : targets.parents()) {
      if (text[at++] == '-') continue;
      Parent theirs;
      std::memcpy(&theirs.rule, text.data() + at, sizeof theirs.rule);
      at += sizeof theirs.rule;
      theirs.state.assign(text.begin() + static_cast<int64_t>(at),
                          text.begin() + static_cast<int64_t>(at + state.size()));
      at += state.size();
      found[&state] = std::move(theirs);
    }
    targets.merge(found);
  }

  const Joint& joint_;
};

// A path in the making: its steps are added from the last to the first. The rule of a step is known when the parent is.
struct Path {
  const Finding* finding = nullptr;
  std::vector<TraceStep> steps;
  uint64_t epoch = 0;  // of the step added last; its parent is in an earlier one
  bool too_long = false;
  std::optional<uint64_t> first;  // the step that is a start state, the latest of them

  void add(Bytes state, uint64_t its_epoch) {
    steps.push_back({kNoRule, std::move(state)});
    epoch = its_epoch;
  }
  bool wants_parent(uint64_t before) const { return !steps.empty() && epoch > before; }
  void give_up() {
    too_long = true;
    steps = {};
  }
};

// The memory for paths. Each thread has what is looked for in a table of its own.
class Room {
 public:
  Room(uint64_t bytes, uint64_t state_bytes, unsigned threads)
      : left_(bytes),
        each_((threads + 2) * (2 * state_bytes + 160)),
        step_(state_bytes + 3 * sizeof(TraceStep) + sizeof(Mark) + 16) {
  }  // a vector that grows is there twice

  bool add_path() { return take(each_) && add_step(); }
  bool add_step() { return take(step_); }
  void end_path(uint64_t steps) { left_ += each_ + steps * step_; }
  uint64_t needed(uint64_t steps) const { return each_ + steps * step_; }

  // Where a step is, to be found by the hash of its state.
  struct Mark {
    uint64_t hash;
    uint32_t path;
    uint32_t step;
    bool operator<(const Mark& other) const { return hash < other.hash; }
  };

 private:
  bool take(uint64_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  uint64_t left_;
  const uint64_t each_, step_;
};

std::vector<Room::Mark> marks_of(const std::vector<Path>& paths) {
  uint64_t steps = 0;
  for (const Path& path : paths) steps += path.steps.size();
  std::vector<Room::Mark> marks;
  marks.reserve(steps);
  for (uint32_t p = 0; p < paths.size(); ++p) {
    for (uint32_t s = 0; s < paths[p].steps.size(); ++s) {
      const Bytes& state = paths[p].steps[s].state;
      marks.push_back({hash_bytes(state.data(), state.size()), p, s});
    }
  }
  std::sort(marks.begin(), marks.end());
  return marks;
}

// A path begins with the last start state on it, of which the first number counts.
void find_starts(const Model& model, std::vector<Path>& paths) {
  const std::vector<Room::Mark> marks = marks_of(paths);
  Expansion out = start_expansion(model.info());
  const auto meet = [&](const uint8_t* state, uint32_t start) {
    const Room::Mark wanted{hash_bytes(state, out.state_bytes), 0, 0};
    auto mark = std::lower_bound(marks.begin(), marks.end(), wanted);
    for (; mark != marks.end() && mark->hash == wanted.hash; ++mark) {
      Path& path = paths[mark->path];
      TraceStep& step = path.steps[mark->step];
      if (path.first && *path.first <= mark->step) continue;
      if (std::memcmp(step.state.data(), state, out.state_bytes) != 0) continue;
      path.first = mark->step;
      step.rule = start;
    }
  };
  each_start(model, out, [&] {
    for (uint64_t i = 0; i < out.count; ++i) meet(out.successor(i), out.rules[i]);
  });
}

Status finish_path(const SearchContext& context, Path& path, Counterexample& out) {
  out.text = context.model.describe_failure(path.finding->failure);
  if (path.too_long) return {};
  if (!path.steps.empty()) {
    if (!path.first)
      return Status::internal("a state without a parent; please report this as a bug of strata");
    path.steps.resize(*path.first + 1);
  }
  std::reverse(path.steps.begin(), path.steps.end());
  out.steps = std::move(path.steps);
  out.failure = path.finding->failure;
  return replay(context.model, context.options.deadlock, out);
}

Traced without_paths(const SearchContext& context, const Findings& findings) {
  Traced traced;
  for (const Finding& finding : findings.all()) {
    Counterexample& counterexample = traced.counterexamples.emplace_back();
    counterexample.text = context.model.describe_failure(finding.failure);
  }
  return traced;
}

// The best findings first, as long as there is room.
std::vector<Path> begin_paths(const Findings& findings, Room& room) {
  std::vector<Path> paths;
  paths.reserve(findings.all().size());
  for (const Finding& finding : findings.all()) {
    Path& path = paths.emplace_back();
    path.finding = &finding;
    if (finding.state.empty()) continue;
    path.too_long = !room.add_path();
    if (!path.too_long) path.add(finding.state, finding.level);
  }
  return paths;
}

// One step more for the paths whose parents were found.
void extend_paths(const Targets& targets, uint64_t epoch, Room& room, std::vector<Path>& paths) {
  for (Path& path : paths) {
    if (!path.wants_parent(epoch)) continue;
    const Parent& parent = targets.parents().at(path.steps.back().state);
    if (parent.state.empty()) continue;
    if (!room.add_step()) {
      room.end_path(path.steps.size());
      path.give_up();
      continue;
    }
    path.steps.back().rule = parent.rule;
    path.add(parent.state, epoch);
  }
}

// A finding is at most so many steps from the start.
void note_too_long(const std::vector<Path>& paths, const Room& room, Traced& traced) {
  for (const Path& path : paths) {
    if (!path.too_long) continue;
    ++traced.too_long;
    traced.needed += room.needed(path.finding->level + 1);
  }
}

}  // namespace

Result<Traced> trace_back(const SearchContext& search, History* history, WorkerPool& pool,
                          const Findings& findings, uint64_t memory) {
  if (findings.all().empty()) return Traced();
  // Several ranks speak of whole states of the whole model.
  std::optional<Joint> joint;
  if (search.exchange != nullptr) joint.emplace(*search.exchange);
  const SearchContext context = search.with(joint ? whole_model(search.model) : search.model, search.options);
  // Without traces a path only explains an error, and the first one tells enough.
  const bool wanted = context.options.trace || findings.all().size() == 1;
  if (history == nullptr || !wanted) return without_paths(context, findings);
  Patience patience(context.stop);
  Room room(memory, context.model.info().state_bytes, pool.threads());
  Buffers buffers(pool.threads());
  std::vector<Path> paths = begin_paths(findings, room);
  uint64_t deepest = 0;
  for (const Path& path : paths) deepest = std::max(deepest, path.epoch);
  for (uint64_t epoch = deepest; epoch-- > 0;) {
    Targets targets;
    for (const Path& path : paths) {
      if (path.wants_parent(epoch)) targets.want(path.steps.back().state);
    }
    if (targets.empty()) continue;
    context.progress.phase("tracing the error back, level " + std::to_string(epoch));
    const Status status = find_parents(context, search.model, *history, epoch, buffers, patience, targets);
    const bool here = status.ok() && !patience.over();
    const bool everywhere = joint ? JointParents(*joint).merge(here, targets) : here;
    if (!status.ok()) return status;
    if (!everywhere) return without_paths(context, findings);
    extend_paths(targets, epoch, room, paths);
  }
  find_starts(context.model, paths);
  Traced traced;
  note_too_long(paths, room, traced);
  traced.counterexamples.resize(paths.size());
  for (uint64_t i = 0; i < paths.size(); ++i) {
    if (!joint && patience.over()) return without_paths(context, findings);
    if (Status status = finish_path(context, paths[i], traced.counterexamples[i]); !status.ok())
      return status;
  }
  return traced;
}

}  // namespace strata
