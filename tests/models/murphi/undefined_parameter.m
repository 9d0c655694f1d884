-- expect: holds
-- states: 2
-- rules: 2
-- An undefined value may be passed by value and by name; reading it would be the error.
type
  small: 0 .. 3;
var
  x: small;
  turn: boolean;

function known(n: small; var m: small): boolean;
begin
  return !isundefined(n) | !isundefined(m);
end;

startstate
begin
  turn := false;
end;

rule
begin
  assert !known(x, x);
  turn := !turn;
end;
