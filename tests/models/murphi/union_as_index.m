-- expect: holds
-- states: 8
-- rules: 24
type
  guest: scalarset(2);
  host: enum { owner };
  person: union { guest, host };
var
  seated: array[person] of boolean;

startstate
begin
  for p: person do seated[p] := false; end;
end;

ruleset g: guest do
  rule "guest" begin seated[g] := !seated[g]; end;
end;

rule "host" begin seated[owner] := !seated[owner]; end;
