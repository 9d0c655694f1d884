-- expect: error
-- trace: 3
-- output: multiset sv is full
-- The variable is named, not the parameter it was passed as.
type
  bag: multiset [2] of boolean;
var
  sv: bag;

procedure send(var net: bag);
begin
  multisetadd(true, net);
end;

startstate begin undefine sv; end;

rule "send" begin send(sv); end;
