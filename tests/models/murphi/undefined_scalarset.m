-- expect: holds
-- states: 4
-- rules: 10
-- An undefined scalarset may be compared, copied, passed and returned: it equals undefined and nothing else.
type
  node: scalarset(3);
  cell: record owner, sharer: node; end;
var
  one: cell;
  last: node;

function owner_of(c: cell): node;
begin
  return c.owner;
end;

procedure remember(n: node);
begin
  last := n;
end;

startstate
begin
  undefine one;
  undefine last;
end;

ruleset n: node do
  rule "take" one.owner != n & isundefined(one.owner) ==>
  begin
    assert one.owner = one.sharer;
    assert owner_of(one) = last;
    one.owner := n;
    assert owner_of(one) = n & one.owner != last;
  end;
end;

rule "give up" one.owner != one.sharer ==>
var before: cell;
begin
  before := one;
  one.owner := one.sharer;
  last := owner_of(one);
  assert isundefined(last) & isundefined(one.owner) & before != one;
  remember(before.owner);
  remember(one.owner);
  switch last
    case before.owner: error "undefined is no value";
    else last := before.sharer;
  end;
  assert !ismember(last, node);
end;

rule "nothing" isundefined(one.owner) & isundefined(last) ==>
begin
  last := isundefined(one.owner) ? one.owner : last;
  one.owner := last;
end;

rule "last" last = one.owner & !isundefined(last) ==>
begin
  error "never";
end;

rule "keep" !isundefined(one.owner) & last != one.owner ==>
begin
  last := last;
end;
