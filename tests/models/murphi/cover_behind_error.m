-- expect: invariant "not one"
-- args: --max-errors 5
-- output: \A(?!(.|\n)*never reached)
-- A cover that holds only behind a state with an error was not searched for, so it is not called missed.
var
  x: 0 .. 3;

startstate
begin
  x := 0;
end;

rule x < 3 ==> begin x := x + 1; end;
rule x = 3 ==> begin x := 0; end;

invariant "not one" x != 1;
cover "two" x = 2;
