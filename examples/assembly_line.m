-- expect: holds
-- states: 396
-- rules: 1021
--
-- An assembly line: Items pieces pass Stations stations, one after another.
--
-- In front of each station but the first is a belt with room for Capacity pieces. A station takes a piece, works
-- on it, and puts it on the next belt, as soon as there is room. The last station inspects: a piece that is not
-- good goes back to the first belt, when there is room, and through the line again. When all pieces of a batch
-- are done, the next batch begins.
--
-- With many items the state space is long and narrow: each piece takes 2 * Stations steps, and how many are done
-- falls only when a batch ends. The pieces that go back lead back, all of them by the same number of steps, so
-- backward transitions have one length. -D Items=1500 -D Stations=4 -D Capacity=3 has 1.5 million
-- states in 12,001 levels.

const
  Items: 8;                   -- pieces of a batch
  Stations: 3;                -- at least 2
  Capacity: 2;                -- pieces on a belt

type
  Station: 0..Stations-1;

var
  entered: 0..Items;                          -- pieces that the first station has taken
  finished: 0..Items;                         -- pieces that have passed inspection
  busy: array [Station] of boolean;
  belt: array [Station] of 0..Capacity;       -- in front of the station; the first one's is always empty

function OnTheLine(): 0..Items;
var
  count: 0..Items;
begin
  count := 0;
  for s: Station do
    count := count + belt[s];
    if busy[s] then
      count := count + 1;
    end;
  end;
  return count;
end;

startstate
begin
  entered := 0;
  finished := 0;
  for s: Station do
    busy[s] := false;
    belt[s] := 0;
  end;
end;

rule "a piece enters"
  !busy[0] & entered < Items
==>
begin
  busy[0] := true;
  entered := entered + 1;
end;

ruleset s: Station do
  rule "take"
    s > 0 & !busy[s] & belt[s] > 0
  ==>
  begin
    belt[s] := belt[s] - 1;
    busy[s] := true;
  end;

  rule "put"
    s + 1 < Stations & busy[s] & belt[s + 1] < Capacity
  ==>
  begin
    busy[s] := false;
    belt[s + 1] := belt[s + 1] + 1;
  end;
end;

rule "pass inspection"
  busy[Stations - 1]
==>
begin
  busy[Stations - 1] := false;
  finished := finished + 1;
end;

rule "fail inspection"
  busy[Stations - 1] & belt[1] < Capacity
==>
begin
  busy[Stations - 1] := false;
  belt[1] := belt[1] + 1;
end;

rule "next batch"
  finished = Items
==>
begin
  entered := 0;
  finished := 0;
end;

invariant "no piece is lost"
  entered = finished + OnTheLine();

invariant "the line is never overfull"
  OnTheLine() <= Stations + (Stations - 1) * Capacity;
