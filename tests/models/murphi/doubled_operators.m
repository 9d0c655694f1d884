-- expect: holds
-- states: 2
-- rules: 2
var
  x: 0 .. 1;

startstate
begin
  x := 0;
end;

rule x == 0 || x == 1 && true ==>
begin
  x := 1 - x;
end;
