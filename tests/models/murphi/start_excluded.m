-- expect: error
-- output: no start state: the assumptions exclude all of them
var
  x: boolean;

startstate begin x := true; end;

rule begin x := !x; end;

assume !x;
