-- expect: holds
-- states: 3
-- rules: 3
-- Several values in a case; the first case that matches is the one; cases need not be constants.
var
  x: 0 .. 5;

startstate
begin
  x := 0;
end;

rule
var
  five: 0 .. 5;
begin
  five := 5;
  switch x
  case 1, 2, 0: x := 3;
  case 3, 0: x := five;
  case five: x := 0;
  else error "no case for 4";
  end;
end;
