-- expect: error
-- trace: 2
-- A function that ends without return has no value.
var
  x: 0 .. 2;

function next(n: 0 .. 2): 0 .. 2;
begin
  if n < 1 then return n + 1; end;
end;

startstate
begin
  x := 0;
end;

rule
begin
  x := next(x);
end;
