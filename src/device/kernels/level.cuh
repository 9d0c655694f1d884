// What the kernels that expand a level have in common: the level, the queue of successors, flags, and the kernels beside:
// checking without expanding, and courses of small levels.
//
// Small levels follow each other without the host: a course (advance) keeps the bounds of its level in the device's
// memory and ends where the host has something to do.
//
// The text of a model comes between firing.cuh and this text (firing.cuh says what it has), then `using Slots`: the form
// of the visited states (visited.cuh). Compiled after visited.cuh.
#pragma once

constexpr u32 kMostOfCourse = 16;

// Levels that are expanded one after another without the host.
struct Course {
  u64 from, to;             // the level at hand; empty: the course has ended
  u64 levels;               // that were expanded
  u64 ends[kMostOfCourse];  // states in the list when a level was expanded
};

// A set of hashes: of the states whose predecessors are wanted. There is at least one empty mark.
struct Marks {
  u64* marks;  // 0: empty
  u64 size;    // a power of two
};
inline u64 mark_of(const u64* state) { return hash_of<kStateWords>(state) | 1; }

inline bool is_marked(const Marks& all, const u64* state) {
  const u64 mark = mark_of(state);
  for (u64 at = mark >> 8;; ++at) {
    const u64 there = all.marks[at & all.size - 1];
    if (there == 0 || there == mark) return there == mark;
  }
}

struct Level {
  VisitedStates visited;
  u64 from, to;     // the states of the level: their places in the list
  Course* course;   // if not null, it has the places
  const u64* data;  // of the model
  u64* queues;      // of all warps, where a queue has no room in the warp's memory
  u64* orbits;      // the bits of a double: how many states the visited ones stand for, with symmetry
  u64* fired;       // of each rule: how often it fired; then of each rule: in how many states (firing.cuh)
  u32* noted;       // a bit for each note
  // States at which something is wrong, or may be: a property that does not hold, a rule that failed, a deadlock. The
  // host looks at them again, in an order of its own.
  u64* flagged;
  u64* flags;  // how many there are, also beyond most_flagged
  u64 most_flagged;
  u32 deadlock;    // 0: none, 1: no rule fired, 2: no rule led to another state
  u32 properties;  // 1: check them
  u32 in_step;     // 1: the warps of a block are to run the same code at about the same time
  // If not null, nothing is added: the first place of each warp's states is flagged if one of them leads to a marked state.
  Marks wanted;
  // In two passes (two_passes.cuh):
  u32* told;    // kTold words for each state of the level
  u32* found;   // for each group, room for `most` states: their numbers in the level
  u32* sizes;   // for each group, how many there are
  u32* begins;  // for each group, how many full warps those of the groups before make
  u64 most;
};

// Successors wait here until there is one for each lane; a group adds at most kMostOfGroup for each lane. In two passes
// they need not wait.
constexpr u32 kQueue = kTwoPasses ? 0 : kLanes - 1 + kLanes * kMostOfGroup;
// Representatives are found in three stages, each for the states for which the one before was not enough. States wait
// for the second and third stage, so that as many lanes as possible work at the same stage: at most kLanes - 1 before a
// batch and kLanes of it.
constexpr u32 kStages = 3;
constexpr u32 kLaterQueue = 2 * kLanes - 1;
constexpr u32 kQueueWords = (kQueue + (kReduces ? (kStages - 1) * kLaterQueue : 0)) * kStateWords;
constexpr u32 kQueueAtHand = kQueuesInMemory ? 1 : kQueueWords;
// What a warp has at hand beside its queue: counts, and how many successors wait.
constexpr u32 kCounts = 2 * kRulesAtHand + 1;

// Adds the numbers of all lanes. REQUIRES all lanes of the warp.
inline void add_orbits(u64* sum, double orbits) {
  for (u32 distance = kLanes / 2; distance > 0; distance /= 2)
    orbits += double_of(from_lane(bits_of(orbits), lane() ^ distance));
  if (lane() == 0 && orbits != 0) add_double(sum, orbits);
}

// Templates, because texts of models that are not reduced have no representatives.
template <class Word>
inline double reduced(Word* state, u32 stage) {
  return stage == 0   ? quick_representative(state)
         : stage == 1 ? slow_representative(state)
                      : representative(state);
}

// The queue of a warp: the text of the model pushes states to it.
struct Queue {
  u64* states;
  u32* waiting;
  u32 second = 0, third = 0;  // how many states wait for these stages of their representatives
  double orbits = 0;          // states in the orbits of those that this lane added, with symmetry

  // Of the second stage (1) and the third (2). Not by an array, which would be in memory.
  u32 waiting_for(u32 stage) const { return stage == 1 ? second : third; }
  void set_waiting(u32 stage, u32 states_left) {
    if (stage == 1) second = states_left;
    if (stage == 2) third = states_left;
  }
  u64* states_of(u32 stage) const {
    return states + (stage == 0 ? 0 : kQueue + (stage - 1) * kLaterQueue) * kStateWords;
  }
  // The later stage for which states should be taken, or 0. `all`: no others are left.
  u32 due(bool all) const {
    if (!kReduces) return 0;
    if (third >= kLanes) return 2;
    if (second >= kLanes || (all && second > 0)) return 1;
    return all && third > 0 ? 2 : 0;
  }

  // The state of this lane becomes the representative of its orbit: the size of the orbit. 0: it waits for the next
  // stage, or this lane has none. REQUIRES all lanes of the warp.
  template <class Word>
  double reduce(Word* state, bool has, u32 stage) {
    double orbit = 0;
    if (has) orbit = reduced(state, stage);
    const u32 later = vote(has && orbit == 0);
    if (later != 0) {
      const u32 before = waiting_for(stage + 1);
      if (has && orbit == 0) {
        u64* const to = states_of(stage + 1) + (before + ones(later & ((1u << lane()) - 1))) * kStateWords;
        for (u32 i = 0; i < kStateWords; ++i) to[i] = state[i];
      }
      set_waiting(stage + 1, before + ones(later));
      meet();
    }
    return orbit;
  }

  // Adds the states of all lanes that have one to the visited ones; or, where states are wanted, looks for them: whether
  // this lane found one. With symmetry, states become representatives first. REQUIRES all lanes of the warp.
  template <class Word>
  bool offer(const VisitedStates& visited, const Marks& wanted, Word* state, bool has, u32 stage) {
    double orbit = 0;
    if constexpr (kReduces) {
      orbit = reduce(state, has, stage);
      has = orbit != 0;
    }
    if (wanted.marks != nullptr) return has && is_marked(wanted, state);
    if (Slots::add(visited, state, has)) orbits += orbit;
    return false;
  }

  // Takes whole batches, or all states, and offers them; whether this lane found a wanted one. REQUIRES all lanes of the
  // warp.
  bool take(const VisitedStates& visited, const Marks& wanted, bool all) {
    meet();
    u32 left = *waiting;
    meet();
    bool found = false;
    for (;;) {
      const u32 stage = due(all && left == 0);
      if (stage == 0 && left < kLanes && !(all && left > 0)) break;
      const u32 before = stage == 0 ? left : waiting_for(stage),
                after = before < kLanes ? 0 : before - kLanes;
      if (stage == 0) left = after;
      set_waiting(stage, after);
      const u64* const from = states_of(stage) + (after + lane()) * kStateWords;
      const bool has = after + lane() < before;
      u64 state[kStateWords];
      if (has)
        for (u32 i = 0; i < kStateWords; ++i) state[i] = from[i];
      if constexpr (kReduces) meet();
      found = offer(visited, wanted, state, has, stage) || found;
    }
    if (lane() == 0) *waiting = left;
    meet();
    return found;
  }
};

// Whether a loop over batches has another round for this warp. In step, all warps of a block have as many rounds as the
// one with the most batches. Long code does not fit into the memory for instructions beside a processor, so warps at
// different places of it wait for it all the time; in step, they need the same part. REQUIRES all lanes of the block.
inline bool continues(const Level& level, bool has_batch) {
  return level.in_step != 0 ? vote_of_block(has_batch) : has_batch;
}

inline void flag(const Level& level, u64 place) {
  const u64 at = add64(level.flags, 1);
  if (at < level.most_flagged) level.flagged[at] = place;
}

// A state of the list; if it is folded, unfolded to `whole`.
using Whole = u64[kFolds ? kStateWords : 1];
// A template, because texts without a tree have no unfold_state().
template <class Visited>
inline const u64* state_at(const Visited& visited, u64 place, Whole& whole) {
  if constexpr (kFolds) {
    unfold_state(visited, visited.list[place], whole);
    return whole;
  } else {
    return visited.list + place * kStateWords;
  }
}
// Begins with a state; `whole` must stay as it is while the rules fire.
inline void take_state(Context& x, const VisitedStates& visited, u64 place, Whole& whole) {
  x.moves = x.steps = 0;
  x.failed = x.is_noteworthy = false;
  load(x, state_at(visited, place, whole));
}

// A Context with the warp's memory and that of the level. REQUIRES all lanes of the warp.
inline void begin_context(Context& x, const Level& level, Queue& queue, u32* counts) {
  for (u32 i = lane(); i < kCounts; i += kLanes) counts[i] = 0;
  meet();
  if (kQueuesInMemory && level.queues != nullptr) queue.states = level.queues + warp() * kQueueWords;
  queue.waiting = counts + kCounts - 1;
  x.queue = queue.states;
  x.queued = queue.waiting;
  x.counts = counts;
  x.fired = level.fired;
  x.noted = level.noted;
  x.data = level.data;
  x.pass = Pass::whole;
  x.told = nullptr;
}

// Adds what the warp counted to the level's counts. REQUIRES all lanes of the warp.
inline void end_context(const Level& level, const Queue& queue, const u32* counts) {
  if constexpr (kReduces) add_orbits(level.orbits, queue.orbits);
  meet();
  for (u32 i = lane(); i < kRulesAtHand && i < kRules; i += kLanes) {
    if (counts[i] != 0) add64(level.fired + i, counts[i]);
    if (counts[kRulesAtHand + i] != 0) add64(level.fired + kRules + i, counts[kRulesAtHand + i]);
  }
}

// At the depth given by --bound, states are only checked.
KERNEL(check_states, Level) {
  WARP_MEMORY(u32, counts, kCounts, kWarpsOfBlock);
  Context x;
  Queue none{nullptr, nullptr};
  begin_context(x, argument, none, counts);
  Whole whole;
  for (u64 place = argument.from + warp() * kLanes + lane(); place < argument.to; place += warps() * kLanes) {
    take_state(x, argument.visited, place, whole);
    if (!check(x) || x.is_noteworthy) flag(argument, place);
  }
}

struct Beginning {
  Course* course;
  u64 from, to;
};

// Begins a course with a level. One lane.
KERNEL(begin_course, Beginning) {
  if (warp() != 0 || lane() != 0) return;
  Course& course = *argument.course;
  course.from = argument.from;
  course.to = argument.to;
  course.levels = 0;
}

struct Advance {
  Course* course;
  const u64 *count, *flags;
  const u32* full;
  u64 most_states;  // in a level, and in the list: beyond them the host continues
  u64 most_listed;
};

// Follows each level of a course. One lane.
KERNEL(advance, Advance) {
  Course& course = *argument.course;
  if (warp() != 0 || lane() != 0 || course.from == course.to) return;
  const u64 count = *argument.count, states = count - course.to;
  course.ends[course.levels++] = count;
  course.from = course.to;
  const bool continues = *argument.flags == 0 && *argument.full == 0 && states <= argument.most_states &&
                         count <= argument.most_listed;
  if (continues) course.to = count;
}
