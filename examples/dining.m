-- expect: deadlock
-- trace: 6
--
-- Dining philosophers who all reach for the left fork first.
--
-- N philosophers sit around a table with one fork between two neighbours. A hungry philosopher takes the
-- fork to the left, then the fork to the right, eats, and puts both back. When each of them holds a left
-- fork, none can move: this is the deadlock to be found, N steps from the start.
-- dining_ordered.m avoids it.

const
  N: 6;                       -- number of philosophers, at least 2

type
  Place: 0..N-1;              -- fork i lies to the left of philosopher i, fork i + 1 to the right
  State: enum { Thinking, HasOne, Eating };

var
  state: array [Place] of State;
  free: array [Place] of boolean;

startstate
begin
  for i: Place do
    state[i] := Thinking;
    free[i] := true;
  end;
end;

ruleset i: Place do
  alias left: i; right: (i + 1) % N do
    rule "take left fork"
      state[i] = Thinking & free[left]
    ==>
    begin
      free[left] := false;
      state[i] := HasOne;
    end;

    rule "take right fork"
      state[i] = HasOne & free[right]
    ==>
    begin
      free[right] := false;
      state[i] := Eating;
    end;

    rule "put forks back"
      state[i] = Eating
    ==>
    begin
      free[left] := true;
      free[right] := true;
      state[i] := Thinking;
    end;
  end;
end;

invariant "neighbours do not eat together"
  forall i: Place do
    !(state[i] = Eating & state[(i + 1) % N] = Eating)
  end;
