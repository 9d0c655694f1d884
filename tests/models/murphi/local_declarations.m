-- expect: holds
-- states: 3
-- rules: 3
-- Rules and functions may declare constants and types of their own.
var
  x: 0 .. 2;

function next(n: 0 .. 2): 0 .. 2;
const
  count: 3;
type
  t: 0 .. count;
var
  y: t;
begin
  y := n + 1;
  return y % count;
end;

startstate
begin
  x := 0;
end;

rule
const
  zero: 0;
var
  y: 0 .. 2;
begin
  y := next(x) + zero;
  x := y;
end;
