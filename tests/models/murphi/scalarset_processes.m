-- expect: holds
-- states: 20
-- rules: 48
-- Three processes and one token, symmetry off: a scalarset is a plain subrange.
const
  n: 3;
type
  pid: scalarset(n);
var
  wants: array[pid] of boolean;
  holder: pid;

startstate
begin
  for p: pid do wants[p] := false; end;
  undefine holder;
end;

ruleset p: pid do
  rule "ask" !wants[p] ==>
  begin
    wants[p] := true;
  end;
  rule "take" wants[p] & isundefined(holder) ==>
  begin
    holder := p;
  end;
  rule "leave" !isundefined(holder) & holder = p ==>
  begin
    wants[p] := false;
    undefine holder;
  end;
end;

invariant "the holder wants"
  isundefined(holder) | wants[holder];
