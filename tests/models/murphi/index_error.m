-- expect: error
-- trace: 3
var
  a: array[1 .. 3] of boolean;
  i: 1 .. 9;

startstate
begin
  clear a;
  i := 2;
end;

rule
begin
  a[i] := true;
  i := i + 1;
end;
