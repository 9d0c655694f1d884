-- expect: holds
-- states: 3
-- rules: 3
-- args: --deadlock off
-- The guards of rules that yield to others change the state too.
type value: 0 .. 5;
var n: value; m: value;

function step(var x: value; y: value): boolean;
begin
  x := (x + 1) % 6;
  return x > y;
end;

startstate begin n := 0; m := 0; end;

rule 2 "late" step(n, 1) ==> begin m := 0; end;
rule 1 "early" step(n, 3) ==> begin m := n; end;
rule 3 "last" step(m, 0) ==> begin end;
