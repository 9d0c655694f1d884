-- expect: holds
-- states: 32
-- rules: 288
-- args: --deadlock off
-- A loop or quantifier may run from one value of a scalarset to another; there is no round where the second comes first.
type
  P: scalarset(3);
var
  on: array [P] of boolean;
  n: 0 .. 3;

startstate begin for p: P do on[p] := false; end; n := 0; end;

ruleset p: P; q: P do
  rule "from p to q" (exists t := p to p do t = p end) ==>
  begin
    n := 0;
    for t := p to q do n := n + 1; on[t] := !on[t]; end;
    if n = 1 then assert forall t := p to q do t = p & t = q end; end;
  end;
end;
