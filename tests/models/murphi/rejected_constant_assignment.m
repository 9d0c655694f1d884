-- expect: rejected
-- output: :8:3: 
const
  n: 3;
var
  x: 0 .. 3;
startstate begin
  n := 2;
  x := 0;
end;
rule begin x := 3 - x; end;
