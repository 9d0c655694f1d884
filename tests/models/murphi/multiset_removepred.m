-- expect: holds
-- states: 2
-- rules: 2
-- Removing by a predicate takes all that satisfy it.
type
  small: 0 .. 3;
var
  bag: multiset[4] of small;
  full: boolean;

startstate
begin
  undefine bag;
  full := false;
end;

rule "fill" !full ==>
begin
  for v: small do multisetadd(v, bag); end;
  full := true;
  assert multisetcount(i: bag, bag[i] >= 2) = 2;
end;

rule "drain" full ==>
begin
  multisetremovepred(i: bag, bag[i] >= 1);
  assert multisetcount(i: bag, true) = 1;
  multisetremovepred(i: bag, bag[i] = 0);
  full := false;
end;
