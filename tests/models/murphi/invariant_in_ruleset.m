-- expect: invariant "slot free"
-- trace: 2
var
  full: array[0 .. 2] of boolean;

startstate
begin
  clear full;
end;

ruleset i: 0 .. 2 do
  rule "fill" i = 0 | full[i - 1] ==>
  begin
    full[i] := true;
  end;
  invariant "slot free" i = 0 | !full[i];
end;
