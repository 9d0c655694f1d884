-- expect: deadlock
-- trace: 4
type
  node: 0 .. 1;
var
  level: array[node] of 0 .. 2;

startstate
begin
  clear level;
end;

ruleset n: node do
  alias mine: level[n]; other: level[1 - n] do
    rule "rise" mine < 2 ==>
    begin
      mine := mine + 1;
    end;
    rule "fall" mine > other ==>
    begin
      mine := other;
    end;
  end;
end;
