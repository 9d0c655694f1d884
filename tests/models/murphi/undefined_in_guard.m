-- expect: error
-- trace: 2
-- Step 1 makes x 1; the guard of the second rule then reads y.
var
  x: 0 .. 1;
  y: boolean;

startstate
begin
  x := 0;
end;

rule "first" x = 0 ==>
begin
  x := 1;
end;

rule "second" x = 1 & y ==>
begin
  x := 0;
end;
