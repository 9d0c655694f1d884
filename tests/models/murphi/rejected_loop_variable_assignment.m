-- expect: rejected
-- output: :8:5: 
var
  x: 0 .. 3;
startstate begin x := 0; end;
rule begin
  for i: 0 .. 3 do
    i := 2;
  end;
end;
