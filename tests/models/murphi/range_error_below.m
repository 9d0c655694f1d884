-- expect: error
-- trace: 3
-- The value 2 above the lower bound falls out in the third step.
var
  x: -5 .. 5;

startstate
begin
  x := -3;
end;

rule "down"
begin
  x := x - 1;
end;
