-- expect: holds
-- states: 176
-- rules: 608
-- orbits: 22
--
-- Clients that share a pool of connections: each asks for one, works with it, and gives it back.
--
-- Every combination is reached in which no more clients are connected than there are connections, so the number of
-- states is known: 2^Clients times the sum of the binomial coefficients of Clients over 0 to Connections. With
-- -D Clients=20 -D Connections=4 and --symmetry off these are 6,496,976,896, for measuring large searches.

const
  Clients: 4;
  Connections: 2;             -- at least 1

type
  Client: scalarset(Clients);

var
  at: array [Client] of enum { Idle, Asking, Connected, Working };
  used: 0..Connections;

function HasConnection(c: Client): boolean;
begin
  return at[c] = Connected | at[c] = Working;
end;

function CountConnected(): 0..Clients;
var
  count: 0..Clients;
begin
  count := 0;
  for c: Client do
    if HasConnection(c) then
      count := count + 1;
    end;
  end;
  return count;
end;

startstate
begin
  for c: Client do
    at[c] := Idle;
  end;
  used := 0;
end;

ruleset c: Client do
  rule "ask"
    at[c] = Idle
  ==>
  begin
    at[c] := Asking;
  end;

  rule "connect"
    at[c] = Asking & used < Connections
  ==>
  begin
    at[c] := Connected;
    used := used + 1;
  end;

  rule "work"
    at[c] = Connected
  ==>
  begin
    at[c] := Working;
  end;

  rule "give back"
    at[c] = Working
  ==>
  begin
    at[c] := Idle;
    used := used - 1;
  end;
end;

invariant "every connection in use has its client"
  CountConnected() = used;
