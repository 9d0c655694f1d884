-- expect: holds
-- states: 4
-- rules: 6
var
  x: 0 .. 3;

function small(n: 0 .. 3): boolean;
begin
  return n < 2;
end;

startstate
begin
  x := 0;
end;

rule "any" begin x := (x + 1) % 4; end;

rule "small" small(x) ==> begin x := 3 - x; end;
