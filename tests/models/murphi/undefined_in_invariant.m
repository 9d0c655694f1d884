-- expect: error
-- trace: 1
-- The invariant holds in the start state without reading y.
var
  x: 0 .. 1;
  y: boolean;

startstate
begin
  x := 0;
end;

rule
begin
  x := 1 - x;
end;

invariant x = 0 | y;
