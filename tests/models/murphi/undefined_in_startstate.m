-- expect: error
-- trace: 0
var
  x: 0 .. 3;

startstate
begin
  x := x + 1;
end;

rule
begin
  x := 0;
end;
