-- expect: holds
-- states: 2
-- rules: 1
-- args: --deadlock off
-- Guards are evaluated from the last rule to the first, and what a false one changed is seen by those that follow.
type value: 0 .. 3;
var
  n: value;
  seen: array [value] of boolean;

function add(var x: value; limit: value): boolean;
begin
  x := (x + 1) % 4;
  return x >= limit;
end;

startstate begin n := 0; for i: value do seen[i] := false; end; end;

rule "third" add(n, 3) ==> begin seen[n] := true; end;
rule "second" add(n, 3) ==> begin seen[n] := true; end;
rule "first" add(n, 2) ==> begin seen[n] := true; end;
