-- expect: error
-- output: y is read but undefined, in "sane"
var
  x, y: boolean;

startstate begin x := true; end;

rule begin x := !x; end;

invariant "sane" x | y;
