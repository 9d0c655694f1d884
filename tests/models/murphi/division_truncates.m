-- expect: holds
-- states: 2
-- rules: 2
-- Division and remainder truncate towards zero, as in C.
type
  t: -10 .. 10;
var
  x: t;

startstate
begin
  x := -7;
end;

rule
begin
  assert x = -7 -> x / 2 = -3 & x % 3 = -1;
  assert x = 7 -> x / -2 = -3 & x % -3 = 1;
  assert 7 / 2 = 3 & -7 / 2 = -3 & 7 / -2 = -3 & -7 / -2 = 3;
  assert 7 % 3 = 1 & -7 % 3 = -1 & 7 % -3 = 1;
  x := -x;
end;
