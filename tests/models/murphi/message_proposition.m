-- expect: error
-- args: --ltl "G p" -p "p=x | y"
-- output: y is read but undefined, in the proposition 'x \| y'
var
  x, y: boolean;

startstate begin x := true; end;

rule begin x := !x; end;
