-- expect: rejected
-- output: :4:6: .*real
var
  x: real(4, 2);

startstate begin x := 1; end;
rule begin x := x + 1; end;
