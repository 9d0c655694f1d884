-- expect: holds
-- states: 2
-- rules: 2
-- An alias names the place that its expression denoted when it was bound.
var
  a: array[0 .. 1] of boolean;
  i: 0 .. 1;

startstate
begin
  clear a;
  i := 0;
end;

rule
begin
  alias place: a[i] do
    i := 1 - i;
    place := !place;
    i := 1 - i;
  end;
  assert !a[1];
end;
