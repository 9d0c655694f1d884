-- expect: error
-- trace: 1
-- A cover is evaluated in every state, also after it has held once, so what it reads must be defined everywhere.
var
  x: 0 .. 3;
  y: 0 .. 1;

startstate
begin
  x := 0;
end;

rule x < 3 ==> begin x := x + 1; end;
rule x = 3 ==> begin assert false; end;

cover "zero" x = 0 | y = 1;
