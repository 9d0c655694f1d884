-- expect: error
-- trace: 2
-- output: 6 is not in 0\.\.3 for owner
var
  owner: 0 .. 3;

startstate begin owner := 0; end;

rule "grow" begin owner := owner * 2 + 2; end;
