-- expect: deadlock
-- trace: 2
-- No case matches 2 and there is no else: nothing happens, so the rule leads back to the same state.
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule
begin
  switch x
  case 0: x := 1;
  case 1: x := 2;
  end;
end;
