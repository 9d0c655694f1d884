-- expect: holds
-- states: 1000
-- rules: 3000
-- Stations that each fill a shelf of their own, one place after another, and empty it again. Stations do not know of each
-- other, so the states are all combinations: (2 * Places) ^ Stations.
const
  Stations: 3;
  Places: 5;
type
  Station: 1..Stations;
  Place: 1..Places;
  Item: 0..200;
var
  shelf: array [Station] of array [Place] of array [0..7] of Item;
  filled: array [Station] of 0..Places;
  emptying: array [Station] of boolean;
startstate
begin
  for s: Station do
    filled[s] := 0; emptying[s] := false;
    for p: Place do for k: 0..7 do shelf[s][p][k] := 0; end; end;
  end;
end;
ruleset s: Station do
  rule "Fill" !emptying[s] ==>
  begin
    filled[s] := filled[s] + 1;
    for k: 0..7 do shelf[s][filled[s]][k] := 10 * filled[s] + k + 1; end;
    emptying[s] := filled[s] = Places;
  end;
  rule "Empty" emptying[s] ==>
  begin
    for k: 0..7 do shelf[s][filled[s]][k] := 0; end;
    filled[s] := filled[s] - 1;
    emptying[s] := filled[s] > 0;
  end;
end;
invariant "an empty place has no items"
  forall s: Station do forall p: Place do p > filled[s] -> shelf[s][p][0] = 0 end end;
