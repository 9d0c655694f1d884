-- expect: error
-- trace: 3
var
  x: 0 .. 2;

startstate
begin
  x := 2;
end;

rule
begin
  if 2 / x = 1 then x := x - 1; else x := 0; end;
end;
