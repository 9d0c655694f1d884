-- expect: deadlock
-- trace: 2
-- In state 2 a rule is enabled, but it leads back to the same state.
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule
begin
  if x < 2 then x := x + 1; end;
end;
