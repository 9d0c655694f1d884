-- expect: holds
-- states: 3734
-- rules: 14798
--
-- Election of a leader on a ring (after Chang and Roberts), over a network that does not keep the order.
--
-- N nodes with different identities form a ring; each can send to its successor only. A node that
-- wants an election sends its identity around. A node forwards a larger identity, and swallows a smaller
-- one after putting its own into the race. The identity that comes all the way back is the largest: its
-- node becomes the leader and tells the others. When all know, the term ends and the next one begins.
--
-- The network is a multiset: messages under way have no order, even between the same two nodes. `choose`
-- takes any of them.
--
-- The election starts with identities that rise around the ring, or that fall: two start states.

const
  N: 5;                       -- number of nodes, at least 2

type
  Node: 0..N-1;
  Identity: 0..N-1;
  Kind: enum { Probe, Elected };
  Message: record
    kind: Kind;
    receiver: Node;
    identity: Identity;
  end;

var
  identity: array [Node] of Identity;
  state: array [Node] of enum { Asleep, Running, Follower, Leader };
  network: multiset [N] of Message;

function Successor(n: Node): Node;
begin
  return (n + 1) % N;
end;

procedure Send(k: Kind; n: Node; id: Identity);
var
  message: Message;
begin
  message.kind := k;
  message.receiver := n;
  message.identity := id;
  multisetadd(message, network);
end;

procedure Run(n: Node);
begin
  state[n] := Running;
  Send(Probe, Successor(n), identity[n]);
end;

procedure HandleProbe(n: Node; id: Identity);
begin
  if id = identity[n] then
    assert state[n] = Running "elected without running";
    state[n] := Leader;
    Send(Elected, Successor(n), id);
  elsif id > identity[n] then
    Send(Probe, Successor(n), id);
  elsif state[n] = Asleep then
    Run(n);
  end;
end;

procedure HandleElected(n: Node; id: Identity);
begin
  if id != identity[n] then
    state[n] := Follower;
    Send(Elected, Successor(n), id);
  end;
end;

startstate "rising"
begin
  for n: Node do
    identity[n] := n;
    state[n] := Asleep;
  end;
  undefine network;
end;

startstate "falling"
begin
  for n: Node do
    identity[n] := N - 1 - n;
    state[n] := Asleep;
  end;
  undefine network;
end;

ruleset n: Node do
  rule "wake up"
    state[n] = Asleep
  ==>
  begin
    Run(n);
  end;
end;

choose m: network do
  rule "receive"
    true
  ==>
  var
    kind: Kind;
    receiver: Node;
    id: Identity;
  begin
    kind := network[m].kind;
    receiver := network[m].receiver;
    id := network[m].identity;
    multisetremove(m, network);
    if kind = Probe then
      HandleProbe(receiver, id);
    else
      HandleElected(receiver, id);
    end;
  end;
end;

-- Every node knows the leader and no message is under way: the next term may begin.
rule "term ends"
  multisetcount(m: network, true) = 0
  & (forall n: Node do state[n] = Follower | state[n] = Leader end)
==>
begin
  for n: Node do
    state[n] := Asleep;
  end;
end;

invariant "only the largest identity leads"
  forall n: Node do
    state[n] = Leader -> identity[n] = N - 1
  end;

invariant "followers have a leader"
  (exists n: Node do state[n] = Follower end) -> (exists n: Node do state[n] = Leader end);

invariant "at most one announcement"
  multisetcount(m: network, network[m].kind = Elected) <= 1;
