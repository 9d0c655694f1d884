-- expect: rejected
-- output: no start state
var
  x: boolean;

rule begin x := true; end;
