-- expect: error
-- trace: 1
-- More than a thousand rounds are taken for a loop that does not end.
var
  flag: boolean;

startstate
begin
  flag := false;
end;

rule
var
  n: 0 .. 1;
begin
  n := 0;
  while n < 1 do n := 0; end;
end;
