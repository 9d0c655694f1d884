-- expect: holds
-- states: 5
-- rules: 5
-- A value parameter is a copy: what happens to the argument meanwhile does not change it.
type
  digit: 0 .. 4;
  pair: record a: digit; b: digit; end;
var
  x: digit;

function sum_of(p: pair; n: digit): digit;
begin
  x := 0;
  return (p.a + p.b + n) % 5;
end;

startstate
begin
  x := 0;
end;

rule
var
  p: pair;
  old: digit;
begin
  old := x;
  p.a := x;
  p.b := 1;
  x := sum_of(p, x - x);
  assert x = (old + 1) % 5;
end;
