-- expect: error
-- output: r.first is read but undefined
-- A parameter of another range must be converted, and so be defined.
type
  small: 0 .. 3;
var
  r: record first: 0 .. 3; end;
  x: boolean;

procedure nothing(n: small);
begin
end;

startstate
begin
  nothing(r.first);
end;

rule
begin
  x := true;
end;
