-- expect: holds
-- states: 2
-- args: --deadlock off
-- Operands and arguments that call functions are evaluated from left to right, each once.
var
  n: 0 .. 9;
  a: array [0 .. 9] of 0 .. 3;
  wide: 0 .. 7;
  done: boolean;

function next(): 0 .. 9;
begin
  n := n + 1;
  return n;
end;

procedure expect_order(first, second, third: 0 .. 9);
begin
  assert first = 1 & second = 2 & third = 3;
end;

startstate
begin
  n := 0;
  undefine wide;
  for i: 0 .. 9 do a[i] := i % 4; end;
  done := false;
end;

rule !done ==>
begin
  expect_order(next(), next(), next());
  n := 0;
  wide := a[next()];
  assert n = 1 & wide = 1;
  assert n + next() = 3;
  assert next() - n = 0;
  done := true;
end;
