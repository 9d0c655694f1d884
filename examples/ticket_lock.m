-- expect: holds
-- states: 516
-- rules: 1008
-- orbits: 36
--
-- A lock that serves processes in the order of their tickets, so that no process waits for ever. Compare lock.m.

const N: 4;
type Process: scalarset(N); Ticket: 0..N-1;
var
  next: Ticket;                        -- the ticket that is drawn next
  serving: Ticket;                     -- the ticket that may enter
  ticket: array [Process] of Ticket;   -- undefined outside
  at: array [Process] of enum { Outside, Waiting, Inside };
startstate next := 0; serving := 0; for p: Process do at[p] := Outside; undefine ticket[p]; end; end;
ruleset p: Process do
  rule "ask"   at[p] = Outside ==> ticket[p] := next; next := (next + 1) % N; at[p] := Waiting; end;
  rule "take"  at[p] = Waiting & ticket[p] = serving ==> at[p] := Inside; end;
  rule "leave" at[p] = Inside ==> serving := (serving + 1) % N; undefine ticket[p]; at[p] := Outside; end;
end;
invariant "at most one inside"
  forall p: Process do forall q: Process do at[p] = Inside & at[q] = Inside -> p = q end end;
