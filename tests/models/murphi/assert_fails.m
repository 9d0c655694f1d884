-- expect: assertion "x is small"
-- trace: 3
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule
begin
  x := x + 1;
  assert x < 3 "x is small";
end;
