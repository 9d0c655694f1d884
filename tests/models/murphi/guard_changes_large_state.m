-- expect: holds
-- states: 18337
-- rules: 103480
-- args: --deadlock off
-- A state of many words, whose variables are packed one by one; states and rules are CMurphi's.
type
  value: 0 .. 9;
  cell: 0 .. 299;
  index: 0 .. 3;
var
  a: array [cell] of value;
  b: record x: value; y: array [index] of boolean; end;
  n: index;
  c: array [cell] of value;

function step(var x: value; k: index): boolean;
begin
  x := (x + 1) % 10;
  if k = 2 then c[k] := x; end;
  return x != 3;
end;

startstate
begin
  for i: cell do a[i] := 0; c[i] := 1; end;
  b.x := 0;
  for k: index do b.y[k] := false; end;
  n := 0;
end;

ruleset k: index do
  rule "flip" step(a[k], k) ==> begin b.y[k] := !b.y[k]; end;
  rule "set" b.y[k] & step(b.x, n) ==> begin n := k; end;
end;

rule "again" n = 3 ==> begin n := 0; c[299] := (c[299] + 1) % 3; end;
