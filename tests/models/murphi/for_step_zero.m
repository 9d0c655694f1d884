-- expect: error
-- trace: 1
var
  step: 0 .. 1;

startstate
begin
  step := 0;
end;

rule
begin
  for i := 0 to 3 by step do
    step := 0;
  end;
end;
