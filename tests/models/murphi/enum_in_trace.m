-- expect: invariant "not busy"
-- trace: 2
-- output: ^state:busy$
var
  state: enum { idle, waiting, busy };

startstate
begin
  state := idle;
end;

rule "wait" state = idle ==> begin state := waiting; end;
rule "work" state = waiting ==> begin state := busy; end;

invariant "not busy" state != busy;
