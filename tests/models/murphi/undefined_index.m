-- expect: error
-- trace: 1
var
  a: array[0 .. 1] of boolean;
  i: 0 .. 1;

startstate
begin
  clear a;
end;

rule
begin
  a[i] := !a[0];
end;
