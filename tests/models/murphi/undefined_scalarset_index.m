-- expect: error
-- output: owner is read but undefined
-- A scalarset that is used as an index must be defined.
type
  node: scalarset(3);
var
  owner: node;
  busy: array [node] of boolean;

startstate
begin
  clear busy;
end;

rule
begin
  busy[owner] := true;
end;
