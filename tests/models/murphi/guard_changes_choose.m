-- expect: holds
-- states: 21
-- rules: 78
-- args: --deadlock off
-- A guard with a quantifier, an alias and a Choose around it.
type value: 0 .. 2; index: 1 .. 2;
var a: array [index] of value; bag: multiset [2] of value;

function step(var x: value): boolean;
begin
  x := (x + 1) % 3;
  return x != 0;
end;

startstate var zero: value; begin for i: index do a[i] := 0; end; zero := 0; multisetadd(zero, bag); end;

ruleset i: index do
  alias x: a[i] do
    rule "some" (exists j: index do step(a[j]) end) ==> begin end;
    rule "own" step(x) ==> begin a[1] := x; end;
  end;
  choose b: bag do
    rule "bag" step(bag[b]) & a[i] > 0 ==> begin a[i] := 0; end;
  end;
end;
