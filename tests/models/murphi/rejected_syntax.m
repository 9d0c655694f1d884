-- expect: rejected
-- output: :6:[0-9]+: 
var
  x: boolean;
startstate begin
  x := ;
end;
rule begin x := !x; end;
