-- expect: holds
-- states: 5
-- rules: 5
-- Constants may be made of constants, and bounds of constant expressions.
const
  first: 2;
  last: first * 3;
  width: last - first;
  odd: last % 4 = 2;
type
  span: first .. last;
var
  x: span;

startstate
begin
  x := first;
end;

rule "step"
begin
  assert odd & width = 4;
  if x = last then x := first; else x := x + 1; end;
end;
