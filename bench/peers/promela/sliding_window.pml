/* A sliding-window protocol over lossy, duplicating channels: examples/sliding_window.m, step by step,
 * in Promela.
 *
 * Each rule of the Murphi model is one transition here. The channels are Promela's own: `q?x` takes the
 * first message, `q?<x>` takes it and keeps it in the channel (the duplication), `q?_` loses it.
 * Undefined is NONE. The variables that Murphi declares inside a rule are zero between the steps, so they
 * add no states. (`hidden` would leave them out of the state, but excludes Spin's breadth-first search.)
 * So Spin's "states, stored" equals Murphi's states, and Spin's "transitions" equals Murphi's rules
 * fired:
 *
 *   -DWINDOW=2 -DSEQ_SPACE=4 -DCAPACITY=2       3424 states       16632 rules
 *   -DWINDOW=2 -DSEQ_SPACE=4 -DCAPACITY=3      19024 states      101608 rules   (default)
 *   -DWINDOW=3 -DSEQ_SPACE=6 -DCAPACITY=4    4695768 states    25481496 rules
 *   -DWINDOW=2 -DSEQ_SPACE=4 -DCAPACITY=7   15222192 states    87422840 rules   (Spin only)
 *
 * measured with Spin 6.5.2 and Rumur 2022.08.20 (symmetry off). Spin counts the initial state as one
 * transition more. Every step touches a shared variable, so partial-order reduction removes nothing;
 * -DNOREDUCE saves its cost:
 *
 *   spin -DCAPACITY=7 -a sliding_window.pml && gcc -O3 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m10000000
 *
 * The invariant of the Murphi model is asserted after each step that could violate it.
 */

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef SEQ_SPACE
#define SEQ_SPACE 4
#endif
#ifndef CAPACITY
#define CAPACITY 3
#endif
#define PERIOD (2 * SEQ_SPACE)
#define NONE 255

byte base;                           /* sender: the oldest message under way */
byte sent;                           /* sender: how many are under way */
bool acked[WINDOW];                  /* sender: false beyond those sent */
byte expected;                       /* receiver: to be delivered next */
byte received[WINDOW] = NONE;        /* receiver: payloads */

chan data = [CAPACITY] of { byte, byte };    /* sequence number, payload */
chan ack = [CAPACITY] of { byte };           /* sequence number */

byte seq, payload, offset, i;        /* 0 between steps */

#define TRANSMIT(o) data!((base + o) % SEQ_SPACE), ((base + o) % PERIOD)

#define DISTANCE(from) ((seq + SEQ_SPACE - from % SEQ_SPACE) % SEQ_SPACE)

#define CHECK_WINDOWS assert((expected + PERIOD - base) % PERIOD <= sent)

#define RESET seq = 0; payload = 0; offset = 0; i = 0

inline handle_data()
{
  offset = DISTANCE(expected);
  ack!seq;
  if
  :: offset < WINDOW -> received[offset] = payload
  :: else
  fi;
  do
  :: received[0] != NONE ->
    assert(received[0] == expected);
    i = 0;
    do
    :: i < WINDOW-1 -> received[i] = received[i + 1]; i++
    :: else -> break
    od;
    received[WINDOW-1] = NONE;
    expected = (expected + 1) % PERIOD
  :: else -> break
  od;
  CHECK_WINDOWS;
  RESET
}

inline handle_ack()
{
  offset = DISTANCE(base);
  if
  :: offset < sent -> acked[offset] = true
  :: else
  fi;
  do
  :: acked[0] ->
    i = 0;
    do
    :: i < WINDOW-1 -> acked[i] = acked[i + 1]; i++
    :: else -> break
    od;
    acked[WINDOW-1] = false;
    sent--;
    base = (base + 1) % PERIOD
  :: else -> break
  od;
  CHECK_WINDOWS;
  RESET
}

/* One timer for each offset of the sender's window: process number = offset. */
active [WINDOW] proctype Timer()
{
  do
  :: d_step { _pid < sent && !acked[_pid] && nfull(data) -> TRANSMIT(_pid) }
  od
}

active proctype Sender()
{
  do
  :: d_step { sent < WINDOW && nfull(data) -> TRANSMIT(sent); sent++ }
  :: d_step { ack?seq -> handle_ack() }
  :: d_step { ack?<seq> -> handle_ack() }
  :: ack?_
  od
}

active proctype Receiver()
{
  do
  :: d_step { nempty(data) && nfull(ack) -> data?seq,payload; handle_data() }
  :: d_step { nempty(data) && nfull(ack) -> data?<seq,payload>; handle_data() }
  :: data?_,_
  od
}
