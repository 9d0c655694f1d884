-- expect: error
-- trace: 1
-- output: r.a is read but undefined
-- An undefined range is copied only from a plain variable.
var
  r: record a: 0 .. 3; end;
  x, y: 0 .. 3;

startstate
begin
  x := y;
end;

rule
begin
  x := r.a;
end;
