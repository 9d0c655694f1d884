-- expect: holds
-- states: 2
-- rules: 2
var
  b: boolean;

function first_even(low: 1 .. 5): 1 .. 6;
begin
  for i := 1 to 6 do
    for j := i to 6 do
      if i >= low & i % 2 = 0 then return i; end;
    end;
  end;
  return 6;
end;

startstate
begin
  b := false;
end;

rule
begin
  assert first_even(1) = 2 & first_even(3) = 4 & first_even(5) = 6;
  b := !b;
end;
