-- expect: holds
-- states: 4
-- rules: 8
-- Records and arrays are compared with their undefined parts.
type
  small: 0 .. 1;
  pair: record a: small; b: array [small] of boolean; end;
var
  x, y: pair;

startstate
begin
  undefine x;
  undefine y;
end;

rule "set x" begin if isundefined(x.b[1]) then x.b[1] := true; else undefine x; end; end;
rule "set y" begin if isundefined(y.b[1]) then y.b[1] := true; else undefine y; end; end;

invariant "equal when both are"
  (x = y) = (isundefined(x.b[1]) = isundefined(y.b[1]));
invariant "elements"
  x.b != y.b -> x != y;
