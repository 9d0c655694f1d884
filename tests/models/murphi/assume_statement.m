-- expect: holds
-- states: 5
-- rules: 8
-- A rule whose assumption fails counts as not fired.
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule "up" x < 9 ==>
begin
  x := x + 1;
  assume x < 5;
end;

rule "down" x > 0 ==>
begin
  x := x - 1;
end;
