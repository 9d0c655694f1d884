-- expect: incomplete
-- args: --bound 2
-- output: bound
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule
begin
  x := (x + 1) % 10;
end;
