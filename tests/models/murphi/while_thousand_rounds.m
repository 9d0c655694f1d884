-- expect: holds
-- states: 2
-- rules: 2
-- A thousand rounds are allowed.
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
  while n < 1000 do n := n + 1; end;
  flag := !flag;
end;
