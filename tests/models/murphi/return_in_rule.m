-- expect: holds
-- states: 3
-- rules: 3
-- What was written before the return stays.
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule
begin
  if x < 2 then
    x := x + 1;
    return;
  end;
  x := 0;
end;
