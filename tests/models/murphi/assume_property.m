-- expect: holds
-- states: 5
-- rules: 9
-- States that violate an assumption are not entered; the firing counts, and its state is no deadlock.
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule "up" x < 9 ==>
begin
  x := x + 1;
end;

rule "down" x > 0 ==>
begin
  x := x - 1;
end;

assume "low" x < 5;
