-- expect: holds
-- states: 6
-- rules: 15
-- A multiset of two places: the order of adding does not matter, so { } {1} {2} {1,1} {1,2} {2,2} are all the states.
-- Rules fired: 3 bags have room for 2 kinds (6), 2 bags of one and 3 bags of two can lose each element (8), and {1,1}
-- can be emptied (1).
type
  kind: 1 .. 2;
var
  bag: multiset[2] of kind;

startstate
begin
  undefine bag;
end;

ruleset k: kind do
  rule "put in" multisetcount(i: bag, true) < 2 ==>
  begin
    multisetadd(k, bag);
  end;
end;

choose i: bag do
  rule "take out"
  begin
    multisetremove(i, bag);
  end;
end;

rule "empty" multisetcount(i: bag, bag[i] = 1) = 2 ==>
begin
  multisetremovepred(i: bag, bag[i] = 1);
end;
