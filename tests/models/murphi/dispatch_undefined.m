-- expect: error
-- An undefined variable is an error of the first guard that reads it, also where rules are chosen by it.
type
  Proc: 1 .. 2;
var
  pc: array [Proc] of 0 .. 1;

startstate
begin
  pc[1] := 0;
end;

ruleset p: Proc do
  rule "up" pc[p] = 0 ==> begin pc[p] := 1; end;
  rule "down" pc[p] = 1 ==> begin pc[p] := 0; end;
end;
