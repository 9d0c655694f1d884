-- expect: holds
-- states: 4
-- rules: 8
-- Identifiers that differ in case are different.
var
  x: boolean;
  X: boolean;

startstate
begin
  x := false;
  X := false;
end;

rule "x" begin x := !x; end;
rule "X" begin X := !X; end;
