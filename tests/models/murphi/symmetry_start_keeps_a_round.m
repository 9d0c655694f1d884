-- expect: holds
-- states: 2
-- orbits: 2
-- output: x keeps the value of the last iteration of the loop over P
-- The start states are not symmetric, so nothing is reduced.
type
  P: scalarset(2);
var
  x: P;
  n: boolean;

startstate begin n := false; for i: P do x := i; end; end;

rule begin n := !n; end;
