-- expect: error
-- trace: 1
-- output: the result of second_of is read but undefined
-- A range is returned undefined, but not assigned so.
type
  small: 0 .. 3;
  pair: record first, second: small; end;
var
  r: pair;
  x: small;

function second_of(p: pair): small;
begin
  return p.second;
end;

procedure nothing(n: small);
begin
end;

startstate
begin
  r.first := 1;
  nothing(r.second);
  nothing(second_of(r));
end;

rule
begin
  x := second_of(r);
end;
