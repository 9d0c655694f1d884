-- expect: invariant "ok"
-- output: X is not reduced by symmetry: .*last iteration of the loop over X
-- trace: 302
-- A local in a rule keeps the value of the last iteration of a loop, deep inside function calls.
const
  depth: 300;
type
  X: scalarset(2);
var
  n: 0 .. depth;
  first: X;
  chosen: X;
  bad: boolean;

startstate begin n := 0; undefine first; undefine chosen; bad := false; end;

rule "count" n < depth ==> begin n := n + 1; end;

ruleset k: X do
  rule "begin" n = depth & isundefined(first) ==> begin first := k; end;
end;

rule "pick" n = depth & !isundefined(first) & isundefined(chosen) ==>
var l: X;
begin
  for k: X do l := k; end;
  chosen := l;
  bad := chosen = first;
end;

invariant "ok" !bad;
