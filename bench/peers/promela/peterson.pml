/* Peterson's mutual exclusion for N processes: examples/peterson.m, step by step, in Promela.
 *
 * Each rule of the Murphi model is one transition here, and each value of its pc[i] is one label. Its
 * array step[] is the local variable `step`, always 1 outside `scan`; undefined is NONE. The counter
 * `critical` follows from the other variables and adds no states. So Spin's "states, stored" equals Murphi's
 * states, and Spin's "transitions" equals Murphi's rules fired:
 *
 *   -DN=3          2000 states         6000 rules
 *   -DN=4        140360 states       561440 rules   (default)
 *   -DN=5      11968752 states     59843760 rules
 *
 * measured with Spin 6.5.2 and Rumur 2022.08.20 (symmetry off). Spin counts the initial state as one
 * transition more. Every step touches a shared variable, so partial-order reduction removes nothing;
 * -DNOREDUCE saves its cost:
 *
 *   spin -DN=5 -a peterson.pml && gcc -O3 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m10000000
 */

#ifndef N
#define N 4
#endif

#define NONE 255
#define me _pid
#define at_top (level[me] == N-1)
#define not_victim (victim[level[me]] != me)
#define in_the_way (level[(me + step) % N] >= level[me])

byte level[N];
byte victim[N] = NONE;       /* victim[0] is not used */
byte critical;

active [N] proctype Process()
{
  byte step = 1;

idle:
  level[me] = 1;

claim:
  victim[level[me]] = me;

check:
  if
  :: d_step { not_victim && at_top -> critical++; assert(critical == 1) } goto in
  :: not_victim && !at_top -> goto raise
  :: !not_victim -> goto scan
  fi;

scan:
  if
  :: d_step { in_the_way -> step = 1 } goto check
  :: d_step { !in_the_way && step < N-1 -> step++ } goto scan
  :: d_step { !in_the_way && step == N-1 && at_top -> step = 1; critical++; assert(critical == 1) } goto in
  :: d_step { !in_the_way && step == N-1 && !at_top -> step = 1 } goto raise
  fi;

raise:
  level[me] = level[me] + 1;
  goto claim;

in:
  if                         /* Spin does not jump to a d_step, but to an if around it */
  :: d_step { critical--; level[me] = 0 } goto idle
  fi
}
