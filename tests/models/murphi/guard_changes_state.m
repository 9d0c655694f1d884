-- expect: holds
-- states: 10
-- rules: 14
-- args: --deadlock off
-- output: guard_changes_state\.m:20:20: note: this guard changes the state\. As in CMurphi,
-- The changes of a guard stay in the successor of its rule, and in those of other rules: states and rules are CMurphi's.
type value: 0 .. 5;
var
  n: value;
  m: value;

function raise(var x: value): boolean;
begin
  if x < 5 then x := x + 1; return true; end;
  return false;
end;

startstate begin n := 0; m := 0; end;

rule "raise" raise(n) ==> begin m := n; end;
rule "drop" m > 2 ==> begin m := 0; end;
rule "again" n = 5 ==> begin n := 0; end;
