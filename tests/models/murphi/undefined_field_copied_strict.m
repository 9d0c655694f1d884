-- expect: error
-- args: --undefined strict
-- output: y is read but undefined
var
  x, y: 0 .. 3;

startstate
begin
  x := y;
end;

rule
begin
  undefine x;
end;
