-- expect: holds
-- states: 7
-- rules: 8
-- args: --deadlock off
-- Of the enabled rules only those with the least number fire; a rule without one has 50.
var
  x: 0 .. 9;

startstate begin x := 0; end;

rule 20 "a" x = 0 ==> begin x := 1; end;
rule 20 "b" x = 0 | x = 1 ==> begin x := 2; end;
rule "fifty" x <= 2 ==> begin x := x + 3; end;
rule 50 "also fifty" x = 2 ==> begin x := 0; end;
rule 90 "late" x = 2 | x = 5 ==> begin x := 6; end;
ruleset i: 7 .. 8 do
  rule 90 "later" x = 6 ==> begin x := i; end;
  rule 91 "never" x = 6 ==> begin x := 9; end;
end;
