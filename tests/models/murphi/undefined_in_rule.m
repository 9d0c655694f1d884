-- expect: error
-- trace: 1
var
  x: 0 .. 3;
  y: 0 .. 3;

startstate
begin
  x := 0;
end;

rule
begin
  x := (x + y) % 4;
end;
