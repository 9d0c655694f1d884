-- expect: rejected
-- output: :6:1: .*comment
var
  x: boolean;
startstate begin x := true; end;
/* rule begin x := !x; end;
