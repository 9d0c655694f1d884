-- expect: error
-- trace: 4
-- output: counter
var
  counter: 0 .. 3;

startstate
begin
  counter := 0;
end;

rule "count"
begin
  counter := counter + 1;
end;
