-- expect: holds
-- states: 11
-- rules: 20
-- A range below zero, of a size that is no power of two.
var
  x: -13 .. -3;

startstate
begin
  x := -8;
end;

rule "down" x > -13 ==>
begin
  x := x - 1;
end;

rule "up" x < -3 ==>
begin
  x := x + 1;
end;

invariant x * x >= 9 & x * x <= 169;
