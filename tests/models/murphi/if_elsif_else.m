-- expect: holds
-- states: 5
-- rules: 5
var
  x: 0 .. 9;

startstate
begin
  x := 0;
end;

rule
begin
  if x = 0 then
    x := 3;
  elsif x = 3 then
    x := 6;
    if x = 6 then
      x := 7;
    end;
  elsif x = 3 | x = 7 then
    x := 1;
  elsif false then
    error "never";
  else
    x := x = 1 ? 9 : 0;
  end;
end;
