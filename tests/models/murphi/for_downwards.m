-- expect: holds
-- states: 2
-- rules: 2
var
  flag: boolean;

startstate
begin
  flag := false;
end;

rule
var
  n: 0 .. 1000;
begin
  n := 0;
  for i := 3 to 1 by -1 do n := n * 10 + i; end;
  assert n = 321;
  n := 0;
  for i := 2 to -2 by -2 do n := n * 10 + i + 2; end;
  assert n = 420;
  n := 0;
  for i := 9 to 1 by -5 do n := n * 10 + i; end;
  assert n = 94;
  flag := !flag;
end;
