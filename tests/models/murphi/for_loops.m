-- expect: holds
-- states: 2
-- rules: 2
type
  t: -2 .. 2;
  e: enum { a, b, c };
var
  flag: boolean;

startstate
begin
  flag := false;
end;

rule
var
  n: 0 .. 100;
begin
  n := 0;
  for i: t do n := n + i + 2; end;
  assert n = 10;
  for i: e do n := n + 1; end;
  assert n = 13;
  for i: boolean do if i then n := n + 1; end; end;
  assert n = 14;
  n := 0;
  for i := 3 to 11 by 4 do n := n + i; end;
  assert n = 21;
  n := 0;
  for i := 3 to 10 by 4 do n := n + i; end;
  assert n = 10;
  n := 0;
  for i := 4 to 4 do n := n + 1; end;
  assert n = 1;
  flag := !flag;
end;
