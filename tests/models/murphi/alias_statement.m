-- expect: holds
-- states: 3
-- rules: 3
-- Aliases of aliases, and of a part of a record.
type
  inner: record value: 0 .. 2; end;
  outer: record left: inner; right: inner; end;
var
  o: outer;

startstate
begin
  clear o;
end;

rule
begin
  alias r: o.right do
    alias v: r.value; l: o.left do
      v := (v + 1) % 3;
      l := r;
      assert l.value = o.right.value;
    end;
  end;
end;
