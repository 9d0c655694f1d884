-- expect: holds
-- states: 3
-- rules: 6
-- The number after "rule" is CMurphi's priority; it does not change what is reachable.
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule 20 "up"
begin
  x := (x + 1) % 3;
end;

rule 5 "down"
begin
  x := (x + 2) % 3;
end;
