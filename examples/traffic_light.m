-- expect: holds
-- states: 1512
-- rules: 5786
--
-- The traffic lights of a crossing, with an assumption about the cars and goals to be covered.
--
-- Two roads cross. Each has a light and a queue of waiting cars; pedestrians ask by button for a phase in
-- which all lights are red. The controller serves the two roads and the pedestrians in turn, skips those
-- that have no one waiting, and leaves green only after MinGreen ticks of its clock.
--
-- Cars arrive whenever they like, so the queues would grow for ever: `assume` restricts the search to
-- states with at most MaxCars cars; other states are dropped. `cover` names situations that must be
-- reachable, because otherwise the invariants might hold only because nothing happens.
-- Both are Rumur's extensions of Murphi.

const
  MaxCars: 8;                 -- waiting at the crossing, both roads together
  MinGreen: 3;                -- ticks

type
  Road: enum { NorthSouth, EastWest };
  Cars: 0..MaxCars+1;         -- room for the one car too many that the assumption forbids

var
  light: array [Road] of enum { Red, Amber, Green };
  waiting: array [Road] of Cars;
  button: boolean;            -- pressed, and not yet served
  walk: boolean;              -- pedestrians may cross
  clock: 0..MinGreen;         -- ticks since the last change to green or walk
  last: Road;                 -- the road that was green last

function Other(r: Road): Road;
begin
  if r = NorthSouth then
    return EastWest;
  else
    return NorthSouth;
  end;
end;

function AllRed(): boolean;
begin
  return forall r: Road do light[r] = Red end;
end;

startstate
begin
  for r: Road do
    light[r] := Red;
    waiting[r] := 0;
  end;
  button := false;
  walk := false;
  clock := 0;
  last := EastWest;
end;

-- The world.

ruleset r: Road do
  rule "car arrives"
    true
  ==>
  begin
    waiting[r] := waiting[r] + 1;
  end;

  rule "car crosses"
    light[r] != Red & waiting[r] > 0
  ==>
  begin
    waiting[r] := waiting[r] - 1;
  end;
end;

rule "button pressed"
  !button & !walk
==>
begin
  button := true;
end;

rule "clock ticks"
  clock < MinGreen & (walk | exists r: Road do light[r] = Green end)
==>
begin
  clock := clock + 1;
end;

-- The controller.

ruleset r: Road do
  rule "to green"
    AllRed() & !walk & !button
    & waiting[r] > 0
    & (r != last | waiting[Other(r)] = 0)
  ==>
  begin
    light[r] := Green;
    last := r;
    clock := 0;
  end;

  rule "to amber"
    light[r] = Green & clock = MinGreen
    & (button | waiting[Other(r)] > 0)
  ==>
  begin
    light[r] := Amber;
  end;

  rule "to red"
    light[r] = Amber
  ==>
  begin
    light[r] := Red;
  end;
end;

rule "pedestrians walk"
  AllRed() & !walk & button
==>
begin
  walk := true;
  button := false;
  clock := 0;
end;

rule "pedestrians stop"
  walk & clock = MinGreen
==>
begin
  walk := false;
end;

assume "the crossing is not overcrowded"
  waiting[NorthSouth] + waiting[EastWest] <= MaxCars;

invariant "one road at a time"
  light[NorthSouth] = Red | light[EastWest] = Red;

invariant "pedestrians cross alone"
  walk -> AllRed();

cover "north-south is served" light[NorthSouth] = Green;
cover "east-west is served" light[EastWest] = Green;
cover "pedestrians are served" walk;
cover "everyone waits"
  button & waiting[NorthSouth] > 0 & waiting[EastWest] > 0 & AllRed();
cover "the crossing is full"
  waiting[NorthSouth] + waiting[EastWest] = MaxCars;
