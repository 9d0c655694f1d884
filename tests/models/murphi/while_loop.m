-- expect: holds
-- states: 10
-- rules: 10
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule
var
  y: 0 .. 9;
begin
  y := 9;
  while y > x & y != 0 do
    y := y - 1;
  end;
  assert x = y;
  while false do error "never"; end;
  x := (x + 1) % 10;
end;
