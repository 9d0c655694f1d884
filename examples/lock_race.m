-- expect: invariant "at most one inside"
-- trace: 4
--
-- Two processes and a lock that is tested in one step and taken in another.
--
-- Seeded bug: both processes see the free lock before either of them takes it. lock.m tests and takes in one step.

type Process: 1..2;
var locked: boolean; at: array [Process] of enum { Outside, Sees, Inside };
startstate locked := false; for p: Process do at[p] := Outside; end; end;
ruleset p: Process do
  rule "look"  at[p] = Outside & !locked ==> at[p] := Sees; end;
  rule "enter" at[p] = Sees ==> locked := true; at[p] := Inside; end;
  rule "leave" at[p] = Inside ==> locked := false; at[p] := Outside; end;
end;
invariant "at most one inside" !(at[1] = Inside & at[2] = Inside);
