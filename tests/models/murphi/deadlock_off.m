-- expect: holds
-- states: 3
-- rules: 2
-- args: --deadlock off
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule x < 2 ==>
begin
  x := x + 1;
end;
