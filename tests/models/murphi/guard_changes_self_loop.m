-- expect: holds
-- states: 8
-- rules: 20
-- args: --deadlock off
-- After a rule that leads back to the same state, the next rule fires without the changes of the guards.
type value: 0 .. 3;
var
  n: value;
  m: value;

function flip(var x: value): boolean;
begin
  x := 3 - x;
  return true;
end;

startstate begin n := 0; m := 0; end;

rule "copy" m < 3 ==> begin m := m + 1; end;
rule "back" n = 0 ==> begin m := (m + n) % 4; end;
rule "undo" flip(n) ==> begin n := 3 - n; end;
rule "zero" m = 3 ==> begin m := 0; end;
