-- expect: holds
-- states: 711
-- rules: 1398
--
-- A ring on which a token shares out the time, with reservations (after the Rether protocol).
--
-- Time passes in cycles of Slots slots. In the first part of a cycle the token visits the nodes that have
-- slots reserved, one slot a visit, until they have used them; a node with nothing left to send gives the rest of
-- its reservation back. The other slots of the cycle are open: the token visits all nodes in turn, from where it
-- stopped in the previous cycle. In an open slot a node may request another reservation, from the next cycle on.
-- The request is granted if there remains an open slot for every node.
--
-- So each node gets what it has reserved, and none waits for its next open slot longer than a cycle.
--
-- With many slots the state space is long: a cycle takes at least as many steps as it has slots, and only its
-- end leads back, by about one cycle. -D Nodes=4 -D Slots=1000 -D Share=90 has 1.9 million states
-- in 2,367 levels.

const
  Nodes: 3;
  Slots: 10;                  -- of a cycle
  Share: 2;                   -- slots in a unit of reservation
  Most: 1;                    -- units that a node may reserve

type
  Node: 0..Nodes-1;
  Units: 0..Most;

var
  slot: 0..Slots;                             -- slots of this cycle that have passed
  reserved: boolean;                          -- the first part of the cycle
  token: Node;
  open: Node;                                 -- the node whose open slot is next; undefined in open slots
  left: array [Node] of 0..Most*Share;        -- reserved slots that are still to come in this cycle
  asked: array [Node] of Units;               -- reserved from the next cycle on
  since: array [Node] of 0..2*Slots;          -- slots since the node's last open one

function TotalLeft(): 0..Nodes*Most*Share;
var
  total: 0..Nodes*Most*Share;
begin
  total := 0;
  for n: Node do
    total := total + left[n];
  end;
  return total;
end;

function TotalAsked(): 0..Nodes*Most;
var
  total: 0..Nodes*Most;
begin
  total := 0;
  for n: Node do
    total := total + asked[n];
  end;
  return total;
end;

procedure PassSlot();
begin
  slot := slot + 1;
  for n: Node do
    since[n] := since[n] + 1;
  end;
end;

-- The token moves to the next node with a reservation, or the open slots begin.
procedure GoOnReserved();
begin
  if TotalLeft() = 0 then
    reserved := false;
    token := open;
    undefine open;
  else
    token := (token + 1) % Nodes;
    while left[token] = 0 do
      token := (token + 1) % Nodes;
    end;
  end;
end;

procedure PassOpenSlot();
begin
  PassSlot();
  since[token] := 0;
  token := (token + 1) % Nodes;
end;

startstate
begin
  slot := 0;
  reserved := false;
  token := 0;
  undefine open;
  for n: Node do
    left[n] := 0;
    asked[n] := 0;
    since[n] := 0;
  end;
end;

rule "send"
  reserved
==>
begin
  PassSlot();
  left[token] := left[token] - 1;
  GoOnReserved();
end;

rule "give back"
  reserved
==>
begin
  left[token] := 0;
  GoOnReserved();
end;

rule "open slot"
  !reserved & slot < Slots
==>
begin
  PassOpenSlot();
end;

ruleset units: Units do
  rule "ask"
    !reserved & slot < Slots & units != asked[token]
    & (TotalAsked() - asked[token] + units) * Share + Nodes <= Slots
  ==>
  begin
    asked[token] := units;
    PassOpenSlot();
  end;
end;

rule "new cycle"
  !reserved & slot = Slots
==>
begin
  slot := 0;
  if TotalAsked() > 0 then
    reserved := true;
    open := token;
    for n: Node do
      left[n] := asked[n] * Share;
    end;
    while left[token] = 0 do
      token := (token + 1) % Nodes;
    end;
  end;
end;

invariant "what is reserved fits into the cycle, with an open slot for every node"
  reserved -> slot + TotalLeft() + Nodes <= Slots;

invariant "the token is where a slot is reserved"
  reserved -> left[token] > 0;

invariant "no node waits longer than a cycle"
  forall n: Node do
    since[n] <= Slots
  end;
