-- expect: holds
-- states: 6
-- rules: 6
-- Six start states from two rulesets, one of them twice.
var
  x: 0 .. 5;
  b: boolean;

ruleset i: 0 .. 2 do
  ruleset c: boolean do
    startstate "from ruleset"
    begin
      x := i;
      b := c;
    end;
  end;
end;

startstate "again"
begin
  x := 1;
  b := true;
end;

rule
begin
  x := (x + 1) % 3;
end;
