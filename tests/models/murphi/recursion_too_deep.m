-- expect: error
-- trace: 1
-- output: function even calls itself more than 1000 times
-- Recursion without end is an error of the model.
var
  x: boolean;

function odd(n: 0 .. 4): boolean;
begin
  if n = 1 then return true; end;
  return even(n);
end;

function even(n: 0 .. 4): boolean;
begin
  if n = 0 then return true; end;
  return odd(n);
end;

startstate begin x := even(0); end;

rule begin x := even(4); end;
