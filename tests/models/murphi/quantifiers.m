-- expect: holds
-- states: 16
-- rules: 64
type
  i4: 0 .. 3;
var
  a: array[i4] of boolean;

startstate
begin
  clear a;
end;

ruleset i: i4 do
  rule begin a[i] := !a[i]; end;
end;

invariant "duality"
  (forall i: i4 do a[i] endforall) = !(exists i: i4 do !a[i] endexists);
invariant "nested"
  (exists i: i4 do forall j: i4 do i = j | !a[j] end end)
  = (forall i: i4 do forall j: i4 do i = j | !a[i] | !a[j] end end);
invariant "counted"
  forall i := 3 to 0 by -1 do exists j := 0 to 3 by 1 do i = j end end;
