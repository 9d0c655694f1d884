-- expect: error
-- trace: 1
-- args: --undefined strict
-- output: one.owner is read but undefined
type
  node: scalarset(3);
var
  one: record owner: node; end;
  done: boolean;

startstate
begin
  done := false;
end;

ruleset n: node do
  rule one.owner != n ==>
  begin
    done := true;
  end;
end;
