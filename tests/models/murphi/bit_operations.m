-- expect: holds
-- states: 16
-- rules: 16
var
  x: 0 .. 15;

startstate
begin
  x := 0;
end;

rule
begin
  assert (12 & 10) = 8 & (12 | 10) = 14 & (12 ^ 10) = 6;
  assert ~0 = -1 & ~5 = -6 & ~(~9) = 9;
  assert 1 << 3 = 8 & 9 >> 1 = 4 & 1 << 0 = 1;
  assert 8 >> -1 = 16 & 8 << -2 = 2;
  assert (x ^ 15) + x = 15;
  assert (15 & (x + 0)) = x & (0 | (x + 0)) = x;
  x := (x << 1 >> 1) = 15 ? 0 : x + 1;
end;
