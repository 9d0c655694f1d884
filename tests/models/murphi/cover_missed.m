-- expect: cover
-- states: 2
-- rules: 2
-- output: ^\s*cover "two" not hit$
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule
begin
  x := 1 - x;
end;

cover "one" x = 1;
cover "two" x = 2;
