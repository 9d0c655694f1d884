-- expect: holds
-- states: 15
-- rules: 88
-- Rules that test the same variable first: by equality, by `or`, by a value outside its type, by a boolean.
type
  Proc: 1 .. 2;
var
  pc: array [Proc] of 0 .. 3;
  busy: array [Proc] of boolean;

startstate
begin
  for p: Proc do pc[p] := 0; busy[p] := false; end;
end;

ruleset p: Proc do
  rule "start" pc[p] = 0 ==> begin pc[p] := 1; end;
  rule "lock" pc[p] = 1 & forall q: Proc do !busy[q] end ==> begin busy[p] := true; pc[p] := 2; end;
  rule "unlock" 2 = pc[p] ==> begin busy[p] := false; pc[p] := 3; end;
  rule "again" pc[p] = 3 | pc[p] = 1 & !busy[p] ==> begin pc[p] := 0; end;
  rule "back" pc[p] = 3 | pc[p] = 0 ==> begin pc[p] := 0; end;
  rule "never" pc[p] = 7 ==> begin error "7 is no value of pc"; end;
  rule "release" busy[p] ==> begin busy[p] := false; pc[p] := 0; end;
  rule "idle" !busy[p] ==> begin end;
  ruleset v: boolean do
    rule "both" pc[p] = 2 & v ==> begin busy[p] := v; end;
  end;
end;
