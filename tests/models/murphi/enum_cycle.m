-- expect: holds
-- states: 6
-- rules: 6
type
  colour: enum { red, yellow, green };
var
  light: colour;
  day: boolean;

startstate
begin
  light := red;
  day := true;
end;

rule "next"
begin
  switch light
  case red: light := green; day := !day;
  case green: light := yellow;
  case yellow: light := red;
  end;
end;
