-- expect: error
-- trace: 3
-- A multiset that is full takes no more.
var
  bag: multiset[2] of boolean;

startstate
begin
  undefine bag;
end;

rule "put in"
begin
  multisetadd(true, bag);
end;
