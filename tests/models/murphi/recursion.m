-- expect: holds
-- states: 9
-- rules: 9
-- Functions and procedures may call themselves and each other.
type
  count: 0 .. 7;
var
  n: count;
  sum: 0 .. 28;
  log: array [count] of boolean;

function odd(i: count): boolean;
begin
  if i = 0 then return false; end;
  return even(i - 1);
end;

function even(i: count): boolean;
begin
  if i = 0 then return true; end;
  return odd(i - 1);
end;

function sum_to(i: count): 0 .. 28;
begin
  return i = 0 ? 0 : i + sum_to(i - 1);
end;

procedure mark(i: count; var marks: array [count] of boolean);
var inner: array [count] of boolean;
begin
  inner := marks;
  marks[i] := even(i);
  if i > 0 then mark(i - 1, marks); end;
  inner[i] := true;
end;

startstate
begin
  n := 0;
  sum := 0;
  clear log;
end;

rule "step" even(n) | odd(n) ==>
begin
  n := (n + 1) % 8;
  sum := sum_to(n);
  clear log;
  mark(n, log);
end;

invariant "sum" sum = n * (n + 1) / 2;
invariant "marks" n = 0 & !log[0] | forall i: count do log[i] = (i <= n & i % 2 = 0) end;
