-- expect: invariant "coherent"
-- trace: 2
-- output: Invariant "coherent", c1:2, c2:1 failed
type
  cache: 1 .. 2;
  node: scalarset(2);
var
  exclusive: array [1 .. 2] of boolean;

startstate begin exclusive[1] := false; exclusive[2] := false; end;

ruleset c: cache do
  rule "take" !exclusive[c] ==> begin exclusive[c] := true; end;
end;

ruleset c1: cache; c2: cache do
  invariant "coherent" c1 > c2 -> !(exclusive[c1] & exclusive[c2]);
end;
