-- expect: holds
-- states: 36
-- rules: 84
--
-- Mutual exclusion by turns, with formulas of linear temporal logic in the text of the model. The turn passes round the
-- circle, and waits at a process that wants to enter, until that process has left.
--
-- A line that begins with --@ is a comment for CMurphi and Rumur, and a formula for Strata, which checks it beside the
-- invariants.

const
  N: 3;                       -- number of processes

type
  Pid: 0..N-1;

var
  turn: Pid;
  wants: array [Pid] of boolean;
  inside: array [Pid] of boolean;

startstate
  turn := 0;
  for p: Pid do
    wants[p] := false;
    inside[p] := false;
  end;
end;

ruleset p: Pid do
  rule "ask" !wants[p] & !inside[p] ==>
    wants[p] := true;
  end;

  rule "enter" turn = p & wants[p] ==>
    wants[p] := false;
    inside[p] := true;
  end;

  rule "leave" inside[p] ==>
    inside[p] := false;
    turn := (p + 1) % N;
  end;
end;

rule "pass" !wants[turn] & !inside[turn] ==>
  turn := (turn + 1) % N;
end;

invariant "one inside"
  forall p: Pid do forall q: Pid do (inside[p] & inside[q]) -> p = q end end;

--@ ltl "whoever asks enters" G ("wants[1]" -> F "inside[1]");
--@ ltl "the turn comes back"
--@   G F "turn = 0";
--@ ltl "all can be outside" AG EF "forall p: Pid do !inside[p] end";
