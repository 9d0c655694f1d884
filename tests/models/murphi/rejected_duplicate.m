-- expect: rejected
-- output: :5:3: .*x
var
  x: boolean;
  x: 0 .. 3;
startstate begin x := 0; end;
rule begin x := 1; end;
