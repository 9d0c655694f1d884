-- expect: error
-- trace: 1
-- The guard divides: an error in a guard is an error of the model.
var
  x: 0 .. 2;

startstate
begin
  x := 0;
end;

rule 5 % x = 1 ==>
begin
  x := 1;
end;
