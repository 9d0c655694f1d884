-- expect: error
-- output: v is read but undefined
-- What stands around a start state is evaluated in the state in which nothing is defined.
var
  v, x: 0 .. 3;

alias y: v + 1 do
  startstate
  begin
    x := y;
    v := 2;
  end;
end;
