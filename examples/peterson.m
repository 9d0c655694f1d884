-- expect: holds
-- states: 140360
-- rules: 561440
--
-- Peterson's mutual exclusion for N processes (the "filter lock").
--
-- A process that wants the critical section climbs the levels 1 .. N-1. At each level it writes its
-- number into victim[level] and waits until another process has overwritten it, or until no other
-- process is at its level or above. Each level holds back at least one process, so at most one comes
-- out at the top.
--
-- The waiting condition is not evaluated in one step: a process looks at one shared variable per
-- rule, first at the victim and then at the levels of the others one by one, and starts again when it
-- meets one that is in its way. Reading its own level is free, because no other process writes it.
--
-- Every process can move in every state, so the number of rules fired is N times the number of states.
-- bench/peers/promela/peterson.pml is the same algorithm, step by step, for Spin.

const
  N: 4;                       -- number of processes, at least 2

type
  Pid: 0..N-1;
  Level: 0..N-1;              -- 0: not interested
  Step: 1..N-1;               -- the distance to another process, counted around the circle
  Pc: enum {
    Idle,                     -- about to enter level 1
    Claim,                    -- about to become the victim of its level
    Check,                    -- about to look at the victim of its level
    Scan,                     -- about to look at the level of one other process
    Raise,                    -- about to enter the level above
    Critical                  -- in the critical section
  };

var
  pc: array [Pid] of Pc;
  level: array [Pid] of Level;
  step: array [Pid] of Step;  -- which process to look at; 1 whenever pc is not Scan
  victim: array [Step] of Pid;

-- Process i has passed its level: it enters the next level or the critical section.
procedure Pass(i: Pid);
begin
  if level[i] = N-1 then
    pc[i] := Critical;
  else
    pc[i] := Raise;
  end;
end;

startstate
begin
  for i: Pid do
    pc[i] := Idle;
    level[i] := 0;
    step[i] := 1;
  end;
  undefine victim;
end;

ruleset i: Pid do
  rule "request"
    pc[i] = Idle
  ==>
  begin
    level[i] := 1;
    pc[i] := Claim;
  end;

  rule "claim"
    pc[i] = Claim
  ==>
  begin
    victim[level[i]] := i;
    pc[i] := Check;
  end;

  rule "check victim"
    pc[i] = Check
  ==>
  begin
    if victim[level[i]] != i then
      Pass(i);
    else
      pc[i] := Scan;
    end;
  end;

  rule "scan"
    pc[i] = Scan
  ==>
  begin
    if level[(i + step[i]) % N] >= level[i] then
      step[i] := 1;
      pc[i] := Check;
    elsif step[i] < N-1 then
      step[i] := step[i] + 1;
    else
      step[i] := 1;
      Pass(i);
    end;
  end;

  rule "raise"
    pc[i] = Raise
  ==>
  begin
    level[i] := level[i] + 1;
    pc[i] := Claim;
  end;

  rule "leave"
    pc[i] = Critical
  ==>
  begin
    level[i] := 0;
    pc[i] := Idle;
  end;
end;

invariant "mutual exclusion"
  forall i: Pid do
    forall j: Pid do
      i != j -> !(pc[i] = Critical & pc[j] = Critical)
    end
  end;
