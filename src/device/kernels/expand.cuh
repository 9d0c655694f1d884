// Expands a level in one pass: each warp takes as many states as it has lanes, fires the rules of the model group by
// group, puts successors into a queue in the warp's memory, and adds them to the visited states whenever there is one
// for each lane. So all lanes look up states, although few of them may have fired the same rule. Compiled after
// level.cuh; two_passes.cuh does the same in another way.
#pragma once

KERNEL(expand, Level) {
  WARP_MEMORY(u64, at_hand, kQueueAtHand, kWarpsOfBlock);
  WARP_MEMORY(u32, counts, kCounts, kWarpsOfBlock);
  Queue queue;
  queue.states = at_hand;
  Context x;
  begin_context(x, argument, queue, counts);
  Whole whole;
  const u64 from = argument.course == nullptr ? argument.from : argument.course->from;
  const u64 to = argument.course == nullptr ? argument.to : argument.course->to;
  for (u64 base = from + warp() * kLanes; continues(argument, base < to); base += warps() * kLanes) {
    const u64 place = base + lane();
    bool on = place < to;
    if (on) {
      take_state(x, argument.visited, place, whole);
      // A state at which a property does not hold is not expanded.
      if (argument.properties != 0 && !check(x)) {
        flag(argument, place);
        on = false;
      }
    }
    const bool seeks = argument.wanted.marks != nullptr, is_last = base + warps() * kLanes >= to;
    bool leads = false;
// Not unrolled: that made kernels slower or no faster (doc/design/device.md).
#pragma unroll 1
    for (u32 group = 0; group < kGroups; ++group) {
      if (on) fire(x, group);
      const bool all = seeks || (is_last && group + 1 == kGroups);
      leads = queue.take(argument.visited, argument.wanted, all) || leads;
    }
    if (seeks) {
      if (vote(leads) != 0 && lane() == 0) flag(argument, base);
      continue;
    }
    const u32 least = argument.deadlock == 1 ? x.steps : x.moves;
    if (on && (x.failed || x.is_noteworthy || (argument.deadlock != 0 && least == 0))) flag(argument, place);
  }
  end_context(argument, queue, counts);
}
