-- expect: error
-- trace: 2
-- Whether an undefined value is read depends on which value of P comes first: with symmetry it counts whichever does.
type
  P: scalarset(3);
var
  present: array [P] of boolean;
  flag: array [P] of boolean;
  n: boolean;

startstate begin n := false; for p: P do present[p] := true; flag[p] := true; end; end;

ruleset p: P do
  rule "lose" present[p] & exists q: P do q != p & present[q] end ==> begin present[p] := false; undefine flag[p]; end;
end;

rule "look" exists p: P do flag[p] end ==> begin n := !n; end;
