-- expect: rejected
-- output: :5:6: .*real
-- args: --threads 1
var
  x: real(4, 2);

startstate begin x := 1.5; end;
rule begin x := x + 1; end;
