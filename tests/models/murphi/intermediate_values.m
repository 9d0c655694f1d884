-- expect: holds
-- states: 3
-- rules: 3
-- Only what is stored must be in range; intermediate values may be large.
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule
begin
  x := (x * 100000 + 100000) / 100000 % 3;
end;
