-- expect: holds
-- states: 1
-- args: --deadlock off
-- A cover statement in a start state, and in a procedure that only a start state calls, counts.
var
  x: 0 .. 3;

procedure set_up();
begin
  x := 1;
  cover "one" x = 1;
end;

startstate
begin
  set_up();
  cover "still one" x = 1;
end;
