-- expect: holds
-- states: 16
-- rules: 40
-- Records are assigned and compared as a whole.
type
  pair: record a: boolean; b: boolean; end;
var
  x, y: pair;

startstate
begin
  clear x;
  clear y;
end;

rule "copy" x != y ==>
begin
  y := x;
  assert x = y & x.a = y.a & x.b = y.b;
end;

rule "a" begin x.a := !x.a; end;

rule "b" y = x ==> begin x.b := !x.b; y.b := y.b; end;

rule "c" x.a != y.a ==> begin x.b := !x.b; end;
