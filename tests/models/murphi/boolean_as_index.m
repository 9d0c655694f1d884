-- expect: holds
-- states: 9
-- rules: 18
var
  count: array[boolean] of 0 .. 2;

startstate
begin
  clear count;
end;

ruleset side: boolean do
  rule
  begin
    count[side] := (count[side] + 1) % 3;
  end;
end;
