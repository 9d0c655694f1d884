-- expect: invariant "goal"
-- trace: 4
-- 1 -> 2 -> 4 -> 8 -> 9: the shortest way to 9 doubles three times and adds one; many longer ways exist.
var
  x: 1 .. 20;

startstate
begin
  x := 1;
end;

rule "add" x < 20 ==>
begin
  x := x + 1;
end;

rule "double" x <= 10 ==>
begin
  x := x * 2;
end;

invariant "goal" x != 9;
