-- expect: error
-- trace: 2
-- The same for a loop that returns from the first round that finds something.
type
  P: scalarset(3);
var
  present: array [P] of boolean;
  flag: array [P] of boolean;
  n: boolean;

function some(): boolean;
begin
  for p: P do
    if flag[p] then return true; end;
  end;
  return false;
end;

startstate begin n := false; for p: P do present[p] := true; flag[p] := true; end; end;

ruleset p: P do
  rule "lose" present[p] & exists q: P do q != p & present[q] end ==> begin present[p] := false; undefine flag[p]; end;
end;

rule "look" some() ==> begin n := !n; end;
