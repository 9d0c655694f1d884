-- expect: assertion "too many"
-- trace: 3
var
  x: 0 .. 5;

startstate
begin
  x := 0;
end;

rule
begin
  if x = 2 then error "too many"; end;
  x := x + 1;
end;
