-- expect: holds
-- states: 4
-- rules: 4
-- Inner names hide outer ones until the end of their block.
const
  n: 3;
var
  x: 0 .. n;
  i: 0 .. n;

function plus(x: 0 .. 3): 0 .. 4;
var
  i: 0 .. 1;
begin
  i := 1;
  return x + i;
end;

startstate
begin
  x := 0;
  i := 0;
end;

rule
begin
  for i: 0 .. n do
    assert i = 0 -> forall i: 1 .. 2 do i > 0 end;
    assert exists x: 0 .. n do x = i end;
  end;
  assert i = x;
  x := plus(x) % 4;
  alias i: x do i := i; end;
  i := x;
end;
