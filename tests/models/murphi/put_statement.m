-- expect: holds
-- states: 2
-- rules: 2
-- output: the light is on
var
  on: boolean;

startstate
begin
  on := false;
end;

rule
begin
  if on then put "the light is on\n"; put on; end;
  on := !on;
end;
