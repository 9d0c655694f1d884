-- expect: deadlock
-- trace: 3
-- The model of define.m without overrides.
const
  last: 3;
  size: last + 1;
  wrap: false;
var
  x: 0 .. size - 1;

startstate
begin
  x := 0;
end;

rule
begin
  if x < last then x := x + 1; elsif wrap then x := 0; end;
end;
