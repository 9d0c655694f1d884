-- expect: holds
-- states: 2
-- rules: 6
-- Every enabled instance counts as fired, also when it changes nothing or does what another one does.
var
  x: boolean;

startstate
begin
  x := false;
end;

rule "turn" begin x := !x; end;
rule "turn again" begin x := !x; end;
rule "stay" begin x := x; end;
