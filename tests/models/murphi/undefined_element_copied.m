-- expect: error
-- trace: 1
-- output: e is read but undefined
-- An alias of an element is no plain variable.
var
  a: array [0 .. 1] of boolean;
  x, y: boolean;

startstate
begin
  alias same: y do x := same; end;
end;

rule
begin
  alias e: a[1] do x := e; end;
end;
