-- expect: error
-- trace: 0
-- Both of two renamed states have the error, at another place of the same invariant.
type
  P: scalarset(3);
var
  holds: array [P] of boolean;
  n: boolean;

startstate begin undefine holds; n := false; end;

rule begin n := !n; end;

invariant "one" forall i: P do forall j: P do i != j -> !(holds[i] = true & holds[j] = true) end end;
