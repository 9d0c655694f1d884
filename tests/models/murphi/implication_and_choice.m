-- expect: holds
-- states: 4
-- rules: 8
var
  p, q: boolean;

startstate
begin
  p := false;
  q := false;
end;

rule begin p := !p; end;
rule begin q := !q; end;

invariant (p -> q) = (!p | q);
invariant (p ? q : !q) = (p = q);
invariant p -> (q -> p);
