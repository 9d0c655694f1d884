-- expect: rejected
-- output: :11:[0-9]+: (.|\n)*:12:[0-9]+: (.|\n)*:13:[0-9]+: 
-- Several errors are reported in one run, each at its place.
type
  colour: enum { red, green };
var
  c: colour;
  n: 0 .. 3;
startstate begin c := red; n := 0; end;
rule begin
  n := c;
  c := 1;
  if n then c := green; end;
end;
