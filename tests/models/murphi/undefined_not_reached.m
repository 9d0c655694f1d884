-- expect: holds
-- states: 2
-- rules: 2
-- &, |, -> and ?: leave out the operand that cannot change the result.
var
  x: boolean;
  y: boolean;

startstate
begin
  x := false;
end;

rule (true | y) & !(false & y) & (false -> y) & (true ? true : y) ==>
begin
  x := !x;
end;
