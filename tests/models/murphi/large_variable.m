-- expect: holds
-- states: 31367
-- rules: 66584
-- args: --deadlock off
-- A variable of 144 scalars, of which each rule changes a few: only what differs is packed anew.
const
  N: 16;

type
  cell: 0 .. N - 1;
  message: record kind: enum { None, Ask, Tell }; from: cell; value: -3 .. 3; end;
  slot: record count: 0 .. 2; box: array [0 .. 1] of message; fresh: array [boolean] of boolean; end;

var
  net: array [cell] of slot;
  turn: cell;
  rounds: 0 .. 3;

startstate begin
  for c: cell do
    net[c].count := 0;
    net[c].fresh[false] := true;
  end;
  turn := 0;
  rounds := 0;
end;

ruleset v: -3 .. 3 do
  rule "send" net[turn].count < 2 & (turn = 0 | v = turn - 6 | v < -1) ==>
  begin
    alias s: net[turn] do
      s.box[s.count].kind := (v < 0) ? Ask : Tell;
      s.box[s.count].from := (turn + 1) % N;
      s.box[s.count].value := v;
      s.count := s.count + 1;
      undefine s.fresh;
    end;
  end;
end;

rule "pass on" net[turn].count > 0 ==>
var
  next: cell;
begin
  next := (turn + 5) % N;
  net[next] := net[turn];
  net[next].fresh[true] := false;
  undefine net[turn];
  net[turn].count := 0;
  turn := next;
end;

rule "next round" rounds < 3 & turn = 15 ==>
begin
  rounds := rounds + 1;
  clear net[turn];
  turn := 0;
end;

rule "stay" true ==> begin end;

invariant "counts" forall c: cell do net[c].count <= 2 end;
