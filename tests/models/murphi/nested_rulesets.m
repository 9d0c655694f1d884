-- expect: holds
-- states: 7
-- rules: 84
-- 3 x 2 x 2 instances, all enabled in all 7 states.
var
  x: 0 .. 6;

startstate
begin
  x := 0;
end;

ruleset i: 0 .. 2; b: boolean do
  ruleset e: enum { up, down } do
    rule "move"
    begin
      if e = up then x := (x + i) % 7; else x := (x + 7 - i) % 7; end;
    end;
  end;
end;
