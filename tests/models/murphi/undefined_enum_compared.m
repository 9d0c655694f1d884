-- expect: error
-- trace: 1
-- output: x is read but undefined
type
  colour: enum {red, green};
var
  x: colour;
  y: boolean;

startstate
begin
  y := true;
end;

rule
begin
  y := x = red;
end;
