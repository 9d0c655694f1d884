-- expect: holds
-- states: 3
-- rules: 9
-- A union of a scalarset and an enum; ismember tells the parts apart.
type
  guest: scalarset(2);
  host: enum { owner };
  person: union { guest, host };
var
  last: person;

startstate
begin
  last := owner;
end;

ruleset p: person do
  rule "speaks"
  begin
    last := p;
    assert ismember(p, guest) != ismember(p, host);
    assert ismember(last, host) -> last = owner;
  end;
end;

invariant ismember(last, guest) | last = owner;
