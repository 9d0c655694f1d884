-- expect: holds
-- states: 2
-- rules: 2
-- The bounds and the step are evaluated before the first round.
var
  flag: boolean;

startstate
begin
  flag := false;
end;

rule
var
  last: 0 .. 9;
  rounds: 0 .. 9;
begin
  last := 3;
  rounds := 0;
  for i := 1 to last do
    last := 9;
    rounds := rounds + 1;
  end;
  assert rounds = 3;
  flag := !flag;
end;
