-- expect: holds
-- states: 5
-- rules: 5
-- A function may write globals; its call may stand as a statement.
var
  calls: 0 .. 4;

function tick(): boolean;
begin
  calls := (calls + 1) % 5;
  return calls = 0;
end;

startstate
begin
  calls := 0;
end;

rule
begin
  if tick() then
    assert calls = 0;
  else
    assert calls > 0;
  end;
end;
