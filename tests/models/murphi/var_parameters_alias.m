-- expect: holds
-- states: 3
-- rules: 3
-- The same variable passed twice is one variable: writes through one name are seen through the other.
var
  x: 0 .. 6;

procedure twice(var a: 0 .. 6; var b: 0 .. 6);
begin
  a := (a + 1) % 6;
  b := (b + 1) % 6;
  assert a = b;
end;

startstate
begin
  x := 0;
end;

rule
begin
  twice(x, x);
end;
