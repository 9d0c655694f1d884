-- expect: holds
-- states: 4
-- rules: 8
-- "Undefined" is part of the state: 3 values and undefined make 4 states.
var
  x: 0 .. 2;

startstate
begin
end;

rule "define"
begin
  if isundefined(x) then x := 0; else x := (x + 1) % 3; end;
end;

rule "undefine"
begin
  undefine x;
end;
