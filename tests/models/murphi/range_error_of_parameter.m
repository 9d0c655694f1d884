-- expect: error
-- trace: 3
var
  x: 0 .. 9;

procedure show(n: 0 .. 2);
begin
end;

startstate
begin
  x := 0;
end;

rule
begin
  x := x + 1;
  show(x);
end;
