-- expect: invariant "mutual exclusion"
-- trace: 15
--
-- Peterson's mutual exclusion for N processes, with the two assignments of the entry protocol swapped.
--
-- Seeded bug: a process writes victim[level + 1] first and its own level afterwards. Between the two
-- writes it is the victim of a level at which no other process can see it, so another process walks past it;
-- when it is visible at last, it is no longer the victim and walks past as well. See peterson.m for the
-- correct order and for the meaning of the steps.

const
  N: 3;                       -- number of processes, at least 2

type
  Pid: 0..N-1;
  Level: 0..N-1;              -- 0: not interested
  Step: 1..N-1;               -- the distance to another process, counted around the circle
  Pc: enum {
    Idle,                     -- about to claim level 1
    Raise,                    -- about to enter the level above, which it has claimed
    Check,                    -- about to look at the victim of its level
    Scan,                     -- about to look at the level of one other process
    Claim,                    -- about to become the victim of the level above
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
    pc[i] := Claim;
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
  rule "claim"
    pc[i] = Idle | pc[i] = Claim
  ==>
  begin
    victim[level[i] + 1] := i;    -- wrong: must follow the write of level[i]
    pc[i] := Raise;
  end;

  rule "raise"
    pc[i] = Raise
  ==>
  begin
    level[i] := level[i] + 1;
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
