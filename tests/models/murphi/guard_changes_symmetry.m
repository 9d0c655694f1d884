-- expect: holds
-- states: 8
-- rules: 24
-- args: --deadlock off
-- output: guard_changes_symmetry\.m:21:20: note: P is not reduced by symmetry: a guard changes the state, so the order of the rules matters
-- A guard that changes the state makes the order of the values of a scalarset matter.
type
  P: scalarset(3);
var
  on: array [P] of boolean;

function flip(var x: boolean): boolean;
begin
  x := !x;
  return x;
end;

startstate begin for p: P do on[p] := false; end; end;

ruleset p: P do
  rule "flip" flip(on[p]) ==> begin on[p] := false; end;
  rule "set" !on[p] ==> begin on[p] := true; end;
end;
