-- expect: rejected
-- output: constant_out_of_range\.m:15:10: error: 4 is not in 0\.\.3 for x
-- A constant that never fits is found without a search; what never runs is left alone.
const
  N: 2;
var
  x: 0 .. 3;

startstate begin x := 0; end;

rule "grow"
begin
  if N > 3 then x := 5; end;
  for i := N to 1 do x := x / 0; end;
  x := N * 2;
end;
