-- expect: holds
-- states: 48
-- rules: 144
-- orbits: 9
--
-- A lock that is tested and taken in one step, and processes that differ only in their names (a scalarset).
--
-- At most one process is inside, but a process may wait for ever: others may take the lock each time that it is free.
-- ticket_lock.m serves the processes in order. lock_race.m tests and takes in two steps, which is wrong.

const N: 4;
type Process: scalarset(N);
var locked: boolean; at: array [Process] of enum { Outside, Waiting, Inside };
startstate locked := false; for p: Process do at[p] := Outside; end; end;
ruleset p: Process do
  rule "ask"   at[p] = Outside ==> at[p] := Waiting; end;
  rule "take"  at[p] = Waiting & !locked ==> locked := true; at[p] := Inside; end;
  rule "leave" at[p] = Inside ==> locked := false; at[p] := Outside; end;
end;
invariant "at most one inside"
  forall p: Process do forall q: Process do at[p] = Inside & at[q] = Inside -> p = q end end;
