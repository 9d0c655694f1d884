-- expect: holds
-- states: 64
-- rules: 400
-- An array of records of arrays: every leaf is a variable of its own.
type
  cell: record
    used: boolean;
    slots: array[1 .. 2] of 0 .. 1;
  end;
  table: array[0 .. 1] of cell;
var
  t: table;

startstate
begin
  clear t;
end;

ruleset i: 0 .. 1; j: 1 .. 2 do
  rule "write"
  begin
    t[i].slots[j] := 1 - t[i].slots[j];
    t[i].used := j = 1 ? !t[i].used : t[i].used;
  end;
  rule "use" j = 2 ==>
  begin
    t[i].used := !t[i].used;
  end;
end;

rule "read" t[0].slots[1] = t[1].slots[2] & t[0].used ==>
begin
  t[0].used := false;
end;
