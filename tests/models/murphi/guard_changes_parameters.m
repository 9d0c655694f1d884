-- expect: holds
-- states: 127
-- rules: 511
-- A guard that does not mention a parameter is evaluated for the next value of this parameter only while it holds.
type
  value: 0 .. 7;
  row: 1 .. 3;
  column: 1 .. 2;
var
  n: value;
  m: array [row] of array [column] of value;

function raise(var x: value; r: row; c: column): boolean;
begin
  if x < 7 then x := x + 1; return true; end;
  return false;
end;

startstate begin n := 0; for r: row do for c: column do m[r][c] := 0; end; end; end;

ruleset r: row do
  ruleset c: column do
    rule "both" raise(n, r, c) ==> begin m[r][c] := n; end;
    rule "column" raise(n, 1, c) ==> begin m[r][c] := n; end;
  end;
end;

rule "again" n = 7 ==> begin n := 0; end;
