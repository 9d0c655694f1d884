-- expect: error
-- trace: 1
-- output: The guard of Rule "second" was evaluated
var
  x: 0 .. 1;
  y: boolean;

startstate begin x := 0; end;

rule "first" x = 0 ==> begin x := 0; end;
rule "second" x = 0 & y ==> begin x := 0; end;
