-- expect: holds
-- states: 2
-- rules: 2
-- Clear gives every part its smallest value.
type
  e: enum { one, two };
  s: scalarset(2);
  r: record
    low: -4 .. 4;
    high: 3 .. 7;
    name: e;
    bits: array[e] of boolean;
  end;
var
  x: r;
  turn: boolean;

startstate
begin
  turn := false;
end;

rule
var
  y: r;
begin
  clear x;
  clear y;
  assert x.low = -4 & x.high = 3 & x.name = one & !x.bits[one] & !x.bits[two];
  assert x = y;
  undefine x;
  turn := !turn;
end;
