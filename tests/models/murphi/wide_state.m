-- expect: holds
-- states: 8
-- rules: 8
-- 193 bits of variables, so that fields cross the borders of bytes and words.
type
  odd: -3 .. 3;
  wide: array[0 .. 60] of odd;
var
  flag: boolean;
  a: wide;
  n: 0 .. 7;
  last: 0 .. 100;

startstate
begin
  flag := false;
  for i: 0 .. 60 do a[i] := i % 7 - 3; end;
  n := 0;
  last := 100;
end;

rule
begin
  for i: 0 .. 60 do
    assert a[i] = i % 7 - 3;
    a[60 - i] := (60 - i) % 7 - 3;
  end;
  assert last = 100 - n;
  n := (n + 1) % 8;
  last := 100 - n;
end;
