-- expect: rejected
-- output: an invariant must not change the state
-- What a function writes through others, that come later, counts.
var
  x: 0 .. 3;

function quiet(n: 0 .. 3): boolean;
begin
  return n = 0 ? true : loud(n - 1);
end;

function loud(n: 0 .. 3): boolean;
begin
  x := n;
  return quiet(n);
end;

startstate begin x := 0; end;

rule
begin
  x := 1;
end;

invariant quiet(2);
