-- expect: holds
-- states: 8
-- rules: 16
type
  row: array[-1 .. 1] of boolean;
var
  r: row;

startstate
begin
  for i: -1 .. 1 do r[i] := false; end;
end;

rule "shift"
var
  old: row;
begin
  old := r;
  for i := -1 to 0 do r[i + 1] := old[i]; end;
  r[-1] := old[1];
  assert old = r | old[-1] != r[-1] | old[0] != r[0] | old[1] != r[1];
end;

rule "flip"
begin
  r[0] := !r[0];
end;
