-- expect: holds
-- states: 2
-- rules: 2
-- From loose to tight: ?:  ->  |  &  !  comparison  shift  + -  * / %  unary minus.
var
  b: boolean;

startstate
begin
  b := false;
end;

rule
begin
  assert 1 + 2 * 3 = 7;
  assert 10 - 4 - 3 = 3;
  assert 2 * 7 / 4 % 2 = 1;
  assert -2 + 5 = 3;
  assert 1 + 1 << 1 = 4;
  assert true | false & false;
  assert (false -> false & false) = true;
  assert !true = false;
  assert !1 = 2;
  assert (true ? 1 : 2) = 1;
  assert false -> false ? true : false;
  assert b | !b & true;
  b := !b;
end;
