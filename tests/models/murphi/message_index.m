-- expect: error
-- trace: 1
-- output: index 3 is not in 0\.\.2 in a\[i\]
var
  a: array [0 .. 2] of boolean;
  i: 0 .. 5;

startstate begin i := 3; clear a; end;

rule begin a[i] := true; end;
