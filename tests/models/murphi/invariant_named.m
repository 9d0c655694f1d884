-- expect: invariant "never three"
-- trace: 3
-- output: ^\tInvariant "never three" failed\.$
-- The second invariant fails first.
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule "up" x < 9 ==>
begin
  x := x + 1;
end;

invariant "never five" x != 5;
invariant "never three" x != 3;
