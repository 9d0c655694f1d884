-- expect: invariant "nobody"
-- trace: 1
-- output: p:pid_[123]$
-- A value of a scalarset is shown as the name of its type and a number from 1.
type
  pid: scalarset(3);
var
  p: pid;
  done: boolean;

startstate
begin
  undefine p;
  done := false;
end;

ruleset q: pid do
  rule "pick"
  begin
    p := q;
  end;
end;

invariant "nobody" isundefined(p);
