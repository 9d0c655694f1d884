-- expect: deadlock
-- trace: 1
-- A rule whose assumption fails does not save its state from being a deadlock.
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule "up"
begin
  x := x + 1;
  assume x < 2;
end;
