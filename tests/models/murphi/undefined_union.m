-- expect: holds
-- states: 3
-- rules: 12
-- The same of unions, and between a union and one of its members.
type
  proc: scalarset(2);
  home: enum {memory};
  place: union {proc, home};
var
  at: array [0 .. 1] of place;
  who: proc;

startstate
begin
  at[0] := memory;
  undefine who;
end;

ruleset p: proc do
  rule "go" at[1] != p & at[1] = who ==>
  begin
    who := p;
    at[1] := who;
  end;
  rule "back" at[1] = p ==>
  begin
    undefine who;
    at[1] := who;
    assert isundefined(at[1]) & at[1] != memory & at[0] != at[1];
  end;
end;

rule "stay" at[0] = memory ==>
begin
  assert (at[1] = who) & (isundefined(who) -> !ismember(at[1], proc));
end;

rule "also"
begin
  at[0] := at[0];
end;
