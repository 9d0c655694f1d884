-- expect: invariant "positive"
-- trace: 0
var
  x: 0 .. 3;

ruleset n: 0 .. 3 do
  startstate
  begin
    x := n;
  end;
end;

rule
begin
  x := (x + 1) % 4;
end;

invariant "positive" x > 0;
