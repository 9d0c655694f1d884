-- expect: holds
-- states: 2
-- rules: 2
-- A record with undefined parts may be assigned as a whole.
type
  pair: record a: boolean; b: 0 .. 3; end;
var
  x, y: pair;
  turn: boolean;

startstate
begin
  turn := false;
  x.b := 2;
end;

rule
begin
  y := x;
  assert isundefined(y.a) & y.b = 2;
  undefine y;
  assert isundefined(y.b);
  turn := !turn;
end;
