-- expect: holds
-- states: 7
-- rules: 7
-- args: -D last=6 -D wrap=true
-- Constants that depend on an overridden one follow it.
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
  assert size = 7;
  if x < last then x := x + 1; elsif wrap then x := 0; end;
end;
