-- expect: error
-- trace: 1
-- output: x is read but undefined
-- An undefined range cannot be put into a multiset, a scalarset can.
type
  node: scalarset(2);
var
  nodes: multiset [2] of node;
  numbers: multiset [2] of 0 .. 3;
  n: node;
  x: 0 .. 3;

startstate
begin
  undefine nodes;
  undefine numbers;
  multisetadd(n, nodes);
end;

rule
begin
  multisetadd(x, numbers);
end;
