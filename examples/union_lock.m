-- expect: holds
-- states: 1792
-- rules: 4032
--
-- A lock server and its clients, who send messages to each other: nodes of a union type.
--
-- A node is the server or one of the clients, which are a scalarset. Each node has an inbox for one
-- message, with its sender. Clients ask for the lock and give it back; the server grants it when it is
-- free, and remembers who has to wait. `holder` is the node that has the lock: the server when it is free.

const
  ClientCount: 6;

type
  Server: enum { TheServer };
  Client: scalarset(ClientCount);
  Node: union { Server, Client };
  Kind: enum { Empty, Ask, Grant, GiveBack };
  Inbox: record
    kind: Kind;
    sender: Node;             -- undefined when Empty
  end;

var
  inbox: array [Node] of Inbox;
  holder: Node;
  waits: array [Client] of boolean;
  state: array [Client] of enum { Idle, Waiting, Working };

procedure Send(k: Kind; sender: Node; receiver: Node);
begin
  assert inbox[receiver].kind = Empty "a message is overwritten";
  inbox[receiver].kind := k;
  inbox[receiver].sender := sender;
end;

procedure Discard(n: Node);
begin
  inbox[n].kind := Empty;
  undefine inbox[n].sender;
end;

startstate
begin
  for n: Node do
    Discard(n);
  end;
  for c: Client do
    waits[c] := false;
    state[c] := Idle;
  end;
  holder := TheServer;
end;

ruleset c: Client do
  rule "client asks"
    state[c] = Idle & inbox[TheServer].kind = Empty
  ==>
  begin
    Send(Ask, c, TheServer);
    state[c] := Waiting;
  end;

  rule "client takes the lock"
    inbox[c].kind = Grant
  ==>
  begin
    assert inbox[c].sender = TheServer & state[c] = Waiting "a grant out of the blue";
    Discard(c);
    state[c] := Working;
  end;

  rule "client gives the lock back"
    state[c] = Working & inbox[TheServer].kind = Empty
  ==>
  begin
    Send(GiveBack, c, TheServer);
    state[c] := Idle;
  end;

  rule "server accepts a request"
    inbox[TheServer].kind = Ask & inbox[TheServer].sender = c
  ==>
  begin
    waits[c] := true;
    Discard(TheServer);
  end;

  rule "server grants"
    waits[c] & ismember(holder, Server)
  ==>
  begin
    waits[c] := false;
    holder := c;
    Send(Grant, TheServer, c);
  end;
end;

rule "server takes the lock back"
  inbox[TheServer].kind = GiveBack
==>
begin
  assert ismember(holder, Client) & holder = inbox[TheServer].sender "not yours to give back";
  holder := TheServer;
  Discard(TheServer);
end;

invariant "whoever works holds the lock"
  forall c: Client do
    state[c] = Working -> holder = c
  end;

invariant "a grant is on its way to the holder only"
  forall n: Node do
    inbox[n].kind = Grant -> ismember(n, Client) & holder = n
  end;
