-- expect: holds
-- states: 2156
-- rules: 3530
-- args: --deadlock off
-- A state of 3000 scalars with odd widths: packed by loops.
const
  N: 3000;

var
  a: array [1 .. N] of 0 .. 4;
  at: 0 .. N;
  b: array [1 .. 3] of -1 .. 20;

startstate begin
  clear a;
  at := 0;
  b[2] := 7;
end;

ruleset v: 0 .. 4 do
  rule "write" at < 4 ==>
  begin
    at := at + 1;
    a[at * 700] := v;
    a[N + 1 - at] := 4 - v;
    b[(v % 3) + 1] := v - 1;
  end;
end;

rule "erase" at = 4 & a[2800] > 1 ==>
begin
  undefine a[2800];
  undefine b;
  at := N;
end;

rule "idle" at >= 4 ==> begin b[1] := 20; end;

invariant "in step" at = N | forall i: 1 .. N do i < 2900 | !isundefined(a[i]) end;
