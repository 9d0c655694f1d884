-- expect: holds
-- states: 5
-- rules: 10
type
  pair: array[boolean] of 0 .. 5;
var
  p: pair;

procedure swap(var a: 0 .. 5; var b: 0 .. 5);
var
  t: 0 .. 5;
begin
  t := a;
  a := b;
  b := t;
end;

procedure rotate(var q: pair);
begin
  swap(q[false], q[true]);
end;

startstate
begin
  p[false] := 1;
  p[true] := 4;
end;

rule "rotate" begin rotate(p); end;

rule "step" begin
  p[false] := (p[false] + 1) % 3;
  p[true] := p[false];
end;
