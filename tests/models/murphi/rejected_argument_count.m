-- expect: rejected
-- output: :9:[0-9]+: .*f
var
  x: boolean;
function f(a: boolean; b: boolean): boolean;
begin
  return a & b;
end;
startstate begin x := f(true); end;
rule begin x := !x; end;
