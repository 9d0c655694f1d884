-- expect: rejected
-- output: :7:8: .*missing
var
  x: 0 .. 3;
startstate begin x := 0; end;
rule begin
  x := missing + 1;
end;
