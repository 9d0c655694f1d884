-- expect: holds
-- states: 5741
-- rules: 36518
--
-- Dining philosophers who take the fork with the lower number first.
--
-- The forks are numbered around the table. For all philosophers but the last the lower number is to the
-- left; the last one takes the right fork first. A philosopher with a fork waits only for a fork with a
-- higher number, so they cannot wait in a circle, and there is no deadlock. Compare dining.m.

const
  N: 10;                      -- number of philosophers, at least 2

type
  Place: 0..N-1;              -- philosopher i sits between the forks i and (i + 1) % N
  State: enum { Thinking, HasOne, Eating };

var
  state: array [Place] of State;
  free: array [Place] of boolean;

function First(i: Place): Place;
begin
  if i < N-1 then
    return i;
  else
    return 0;
  end;
end;

function Second(i: Place): Place;
begin
  if i < N-1 then
    return i + 1;
  else
    return i;
  end;
end;

startstate
begin
  for i: Place do
    state[i] := Thinking;
    free[i] := true;
  end;
end;

ruleset i: Place do
  rule "take first fork"
    state[i] = Thinking & free[First(i)]
  ==>
  begin
    free[First(i)] := false;
    state[i] := HasOne;
  end;

  rule "take second fork"
    state[i] = HasOne & free[Second(i)]
  ==>
  begin
    free[Second(i)] := false;
    state[i] := Eating;
  end;

  rule "put forks back"
    state[i] = Eating
  ==>
  begin
    free[First(i)] := true;
    free[Second(i)] := true;
    state[i] := Thinking;
  end;
end;

invariant "neighbours do not eat together"
  forall i: Place do
    !(state[i] = Eating & state[(i + 1) % N] = Eating)
  end;

invariant "a fork in use has one user"
  forall i: Place do
    free[i] | state[i] != Thinking | state[(i + N - 1) % N] != Thinking
  end;
