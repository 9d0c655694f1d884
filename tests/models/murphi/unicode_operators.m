-- expect: holds
-- states: 2
-- rules: 2
var
  x: 0 .. 1;

startstate
begin
  x ≔ 0;
end;

rule x ≥ 0 ∧ ¬(x > 1) ∨ false ==>
begin
  assert x ≤ 1 ∧ x ≠ 2;
  assert x = 0 → x ≤ 0;
  assert ∀ i: 0 .. 1 do ∃ j: 0 .. 1 do i = j end end;
  x ≔ 1 - x;
end;
