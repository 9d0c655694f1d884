-- expect: holds
-- states: 4
-- rules: 12
-- args: --coverage full --deadlock off
-- output: ^Rules Information:\n\n\tFired 4 times\t- Rule "raise" in 3 states, .*coverage_full\.m:14\n\tFired 4 times\t- Rule "touch" in 3 states, .*coverage_full\.m:17\n\tFired 4 times\t- Rule "idle" in 4 states, .*coverage_full\.m:20\n\Z
-- A rule counts once for each instance that fires, and a state once for each rule that can fire in it; self-loops count. The
-- rules of the ruleset are chosen by a switch on m[p].
type P : 0..1;
var m : array [P] of boolean;

startstate for p : P do m[p] := false; end; end;

ruleset p : P do
  rule "raise" !m[p] ==> m[p] := true; end;
end;
ruleset p : P; q : P do
  rule "touch" m[p] & p = q ==> m[p] := true; end;
end;

rule "idle" true ==> end;
