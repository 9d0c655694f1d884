-- expect: holds
-- states: 1001
-- rules: 1001
var
  x: -1000000 .. 1000000;

startstate
begin
  x := -1000000;
end;

rule
begin
  if x = 1000000 then x := -1000000; else x := x + 2000; end;
end;
