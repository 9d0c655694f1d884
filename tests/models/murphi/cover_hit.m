-- expect: holds
-- states: 3
-- rules: 3
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule
begin
  x := (x + 1) % 3;
  cover "wraps" x = 0;
end;

cover "two" x = 2;
