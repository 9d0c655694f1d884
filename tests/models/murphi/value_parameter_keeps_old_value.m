-- expect: holds
-- states: 2
-- rules: 2
var
  x: 0 .. 9;

procedure shift(n: 0 .. 9);
begin
  x := 7;
  x := 9 - n;
end;

startstate
begin
  x := 4;
end;

rule
begin
  shift(x);
  assert x = 4 | x = 5;
end;
