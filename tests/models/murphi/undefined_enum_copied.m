-- expect: holds
-- states: 1
-- rules: 1
-- args: --deadlock off
-- An undefined enum is copied, passed and returned from wherever it is.
type
  colour: enum {red, green};
  pair: record first, second: colour; end;
var
  r: pair;
  x: colour;

function second_of(p: pair): colour;
begin
  return p.second;
end;

function same(c: colour): colour;
begin
  return c;
end;

startstate
begin
  undefine r;
  undefine x;
end;

rule
begin
  x := green;
  x := r.first;
  assert isundefined(x);
  r.first := red;
  r.first := second_of(r);
  assert isundefined(r.first);
  x := red;
  x := same(r.second);
  assert isundefined(x);
  x := red;
  x := (x = red ? r.first : r.second);
  assert isundefined(x);
end;
