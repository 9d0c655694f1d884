-- expect: assertion
-- trace: 2
var
  x: 0 .. 5;

function checked(n: 0 .. 5): 0 .. 5;
begin
  assert n != 1;
  return n;
end;

startstate
begin
  x := 0;
end;

rule
begin
  x := checked(x) + 1;
end;
