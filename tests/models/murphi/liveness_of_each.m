-- expect: holds
-- states: 4
-- rules: 12
-- orbits: 4
-- A liveness property of each value of a scalarset: in which states it holds depends on the value, so the scalarset is not
-- reduced.
type
  guest: scalarset(3);
var
  seat: guest;

startstate
begin
  undefine seat;
end;

ruleset g: guest do
  rule "sit" begin seat := g; end;
end;

ruleset g: guest do
  liveness "everybody may sit" seat = g;
end;
