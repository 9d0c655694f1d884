-- expect: holds
-- states: 8
-- rules: 24
type
  who: enum { ann, bob, cy };
var
  here: array[who] of boolean;

startstate
begin
  for w: who do here[w] := false; end;
end;

ruleset w: who do
  rule "walk"
  begin
    here[w] := !here[w];
  end;
end;

invariant exists w: who do here[w] end | forall w: who do !here[w] end;
