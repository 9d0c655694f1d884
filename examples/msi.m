-- expect: holds
-- states: 49172
-- rules: 161904
--
-- A directory-based MSI cache-coherence protocol for one memory block.
--
-- Each processor has a cache that holds the block Invalid, Shared (read only) or Modified (the only
-- valid copy). A home node holds the memory and the directory: who owns the block, or who may share it.
-- Processors send requests to home, home sends commands to processors, they reply, and an owner forwards
-- data to another processor directly. Home works on one request at a time.
--
--   GetS   read copy wanted.   Home grants it from memory, or tells the owner to downgrade: to keep a
--          shared copy, forward the data to the requester, and write it back.
--   GetM   write copy wanted.  Home invalidates all sharers, waits for their acknowledgements and grants
--          from memory; or it tells the owner to hand over the block to the requester.
--   PutM   the owner evicts the block and writes it back. May cross a downgrade or a handover, which is
--          then done from the block being evicted; home ignores the PutM when it arrives.
--
-- Shared copies are dropped silently, so home may invalidate a cache that has no copy; it replies all
-- the same. What home sends to one processor arrives in the order sent, so a grant is not overtaken by
-- the invalidation that follows it. Forwarded data takes another way, so its receiver tells home when it
-- has arrived, and home stays busy until then.
--
-- Processors and data values are scalarsets. The variable `latest` is not part of the protocol: it is the
-- value of the last store, with which every readable copy is compared.

const
  ProcCount: 3;
  ValueCount: 2;
  Depth: 2;                   -- messages under way from home to one processor

type
  Proc: scalarset(ProcCount);
  Value: scalarset(ValueCount);

  -- Stable states are I, S, M. A state X_Y is on its way from X to Y, waiting for home.
  CacheState: enum { I, S, M, I_S, I_M, S_M, M_I, I_I };

  RequestKind: enum { NoRequest, GetS, GetM, PutM };
  ReplyKind: enum { NoReply, Ack, WriteBack };
  ForwardKind: enum { NoForward, ForwardS, ForwardM };
  CommandKind: enum {
    DataS, DataM,             -- grants, with the value
    Inv,                      -- invalidate a shared copy
    Downgrade, HandOver,      -- forward the block; keep a shared copy, or none
    PutAck                    -- the eviction is over
  };

  Request: record kind: RequestKind; value: Value; end;
  Reply: record kind: ReplyKind; value: Value; end;
  Forward: record kind: ForwardKind; value: Value; end;
  Command: record
    kind: CommandKind;
    value: Value;             -- defined in DataS, DataM
    target: Proc;             -- defined in Downgrade, HandOver: who gets the block
  end;

  Slot: 0..Depth-1;
  CommandQueue: record
    count: 0..Depth;
    slot: array [Slot] of Command;    -- undefined from count on
  end;

  Cache: record
    state: CacheState;
    value: Value;             -- defined in the states S, M, S_M, M_I
  end;

  Home: record
    memory: Value;
    owner: Proc;              -- undefined: no cache holds the block Modified
    sharer: array [Proc] of boolean;

    -- The request being worked on.
    phase: enum { Ready, Invalidating, Forwarding };
    requester: Proc;          -- undefined when Ready
    exclusive: boolean;       -- a GetM rather than a GetS; false when Ready
    invalidate: array [Proc] of boolean;    -- still to be sent an Inv
    awaited: array [Proc] of boolean;       -- reply still to come
  end;

var
  cache: array [Proc] of Cache;
  home: Home;
  request: array [Proc] of Request;         -- processor to home
  reply: array [Proc] of Reply;             -- processor to home, answers to commands
  command: array [Proc] of CommandQueue;    -- home to processor, in order
  forward: array [Proc] of Forward;         -- owner to processor
  latest: Value;

-- Channels.

function HasRoom(p: Proc): boolean;
begin
  return command[p].count < Depth;
end;

procedure SendCommand(p: Proc; kind: CommandKind);
begin
  command[p].slot[command[p].count].kind := kind;
  command[p].count := command[p].count + 1;
end;

procedure SendGrant(p: Proc; kind: CommandKind);
begin
  command[p].slot[command[p].count].value := home.memory;
  SendCommand(p, kind);
end;

procedure SendForwarding(p: Proc; kind: CommandKind; target: Proc);
begin
  command[p].slot[command[p].count].target := target;
  SendCommand(p, kind);
end;

procedure PopCommand(p: Proc);
begin
  for i: Slot do
    if i + 1 < command[p].count then
      command[p].slot[i] := command[p].slot[i + 1];
    end;
  end;
  undefine command[p].slot[command[p].count - 1];
  command[p].count := command[p].count - 1;
end;

procedure SendRequest(p: Proc; kind: RequestKind);
begin
  request[p].kind := kind;
end;

procedure ClearRequest(p: Proc);
begin
  request[p].kind := NoRequest;
  undefine request[p].value;
end;

procedure SendReply(p: Proc; kind: ReplyKind);
begin
  assert reply[p].kind = NoReply "two replies under way";
  reply[p].kind := kind;
end;

procedure ClearReply(p: Proc);
begin
  reply[p].kind := NoReply;
  undefine reply[p].value;
end;

procedure ClearForward(p: Proc);
begin
  forward[p].kind := NoForward;
  undefine forward[p].value;
end;

-- Home has done what the requester asked for.
procedure EndTransaction();
begin
  if home.exclusive then
    home.owner := home.requester;
  else
    home.sharer[home.requester] := true;
  end;
  home.phase := Ready;
  home.exclusive := false;
  undefine home.requester;
end;

-- A processor handles what it receives.

procedure EnterShared(p: Proc; value: Value);
begin
  assert cache[p].state = I_S "unexpected read copy";
  cache[p].state := S;
  cache[p].value := value;
end;

procedure EnterModified(p: Proc; value: Value);
begin
  assert cache[p].state = I_M | cache[p].state = S_M "unexpected write copy";
  cache[p].state := M;
  cache[p].value := value;
end;

procedure Drop(p: Proc; state: CacheState);
begin
  cache[p].state := state;
  undefine cache[p].value;
end;

procedure HandleInv(p: Proc);
begin
  switch cache[p].state
  case S:
    Drop(p, I);
  case S_M:
    Drop(p, I_M);
  case I, I_S, I_M, I_I:
    -- The shared copy has gone already.
  else
    error "invalidation of an owner";
  end;
  SendReply(p, Ack);
end;

procedure SendForward(p: Proc; target: Proc; kind: ForwardKind);
begin
  assert cache[p].state = M | cache[p].state = M_I "only the owner can forward the block";
  assert forward[target].kind = NoForward "two blocks forwarded to one processor";
  forward[target].kind := kind;
  forward[target].value := cache[p].value;
end;

-- A block that is being evicted is not kept as a shared copy either.
procedure HandleDowngrade(p: Proc; target: Proc);
begin
  SendForward(p, target, ForwardS);
  SendReply(p, WriteBack);
  reply[p].value := cache[p].value;
  if cache[p].state = M then
    cache[p].state := S;
  else
    Drop(p, I_I);
  end;
end;

procedure HandleHandOver(p: Proc; target: Proc);
begin
  SendForward(p, target, ForwardM);
  SendReply(p, Ack);
  if cache[p].state = M then
    Drop(p, I);
  else
    Drop(p, I_I);
  end;
end;

ruleset v: Value do
  startstate
  begin
    for p: Proc do
      cache[p].state := I;
      undefine cache[p].value;
      ClearRequest(p);
      ClearReply(p);
      ClearForward(p);
      undefine command[p];
      command[p].count := 0;
      home.sharer[p] := false;
      home.invalidate[p] := false;
      home.awaited[p] := false;
    end;
    home.memory := v;
    undefine home.owner;
    home.phase := Ready;
    undefine home.requester;
    home.exclusive := false;
    latest := v;
  end;
end;

-- Processors on their own initiative.

ruleset p: Proc do
  rule "load miss"
    cache[p].state = I
  ==>
  begin
    SendRequest(p, GetS);
    cache[p].state := I_S;
  end;

  rule "store miss"
    cache[p].state = I
  ==>
  begin
    SendRequest(p, GetM);
    cache[p].state := I_M;
  end;

  rule "upgrade"
    cache[p].state = S
  ==>
  begin
    SendRequest(p, GetM);
    cache[p].state := S_M;
  end;

  rule "evict shared"
    cache[p].state = S
  ==>
  begin
    Drop(p, I);
  end;

  rule "evict modified"
    cache[p].state = M
  ==>
  begin
    SendRequest(p, PutM);
    request[p].value := cache[p].value;
    cache[p].state := M_I;
  end;

  ruleset v: Value do
    rule "store"
      cache[p].state = M
    ==>
    begin
      cache[p].value := v;
      latest := v;
    end;
  end;

  rule "handle command"
    command[p].count > 0 & reply[p].kind = NoReply
  ==>
  begin
    switch command[p].slot[0].kind
    case DataS:
      EnterShared(p, command[p].slot[0].value);
    case DataM:
      EnterModified(p, command[p].slot[0].value);
    case Inv:
      HandleInv(p);
    case Downgrade:
      HandleDowngrade(p, command[p].slot[0].target);
    case HandOver:
      HandleHandOver(p, command[p].slot[0].target);
    case PutAck:
      assert cache[p].state = M_I | cache[p].state = I_I "unexpected end of eviction";
      Drop(p, I);
    end;
    PopCommand(p);
  end;

  rule "take forwarded block"
    forward[p].kind != NoForward & reply[p].kind = NoReply
  ==>
  begin
    if forward[p].kind = ForwardS then
      EnterShared(p, forward[p].value);
    else
      EnterModified(p, forward[p].value);
    end;
    ClearForward(p);
    SendReply(p, Ack);
  end;
end;

-- Home.

ruleset p: Proc do
  rule "home accepts GetS or GetM, no owner"
    home.phase = Ready
    & (request[p].kind = GetS | request[p].kind = GetM)
    & isundefined(home.owner)
  ==>
  begin
    home.requester := p;
    home.exclusive := request[p].kind = GetM;
    home.phase := Invalidating;
    if home.exclusive then
      for q: Proc do
        home.invalidate[q] := home.sharer[q] & q != p;
        home.sharer[q] := false;
      end;
    end;
    ClearRequest(p);
  end;

  rule "home sends invalidation"
    home.phase = Invalidating & home.invalidate[p] & HasRoom(p)
  ==>
  begin
    SendCommand(p, Inv);
    home.invalidate[p] := false;
    home.awaited[p] := true;
  end;

  rule "home takes reply"
    reply[p].kind != NoReply
  ==>
  begin
    assert home.awaited[p] "reply that nobody waits for";
    home.awaited[p] := false;
    if reply[p].kind = WriteBack then
      home.memory := reply[p].value;
    end;
    ClearReply(p);
  end;

  rule "home accepts PutM"
    home.phase = Ready & request[p].kind = PutM & HasRoom(p)
  ==>
  begin
    if !isundefined(home.owner) & home.owner = p then
      home.memory := request[p].value;
      undefine home.owner;
    end;
    SendCommand(p, PutAck);
    ClearRequest(p);
  end;

  ruleset q: Proc do
    rule "home accepts GetS or GetM, owner q"
      home.phase = Ready
      & (request[p].kind = GetS | request[p].kind = GetM)
      & !isundefined(home.owner) & home.owner = q & HasRoom(q)
    ==>
    begin
      assert p != q "the owner asks for its own block";
      home.requester := p;
      home.exclusive := request[p].kind = GetM;
      home.phase := Forwarding;
      home.awaited[p] := true;
      home.awaited[q] := true;
      if home.exclusive then
        SendForwarding(q, HandOver, p);
      else
        SendForwarding(q, Downgrade, p);
        home.sharer[q] := true;
      end;
      undefine home.owner;
      ClearRequest(p);
    end;
  end;
end;

rule "home grants"
  home.phase = Invalidating
  & (forall p: Proc do !home.invalidate[p] & !home.awaited[p] end)
  & HasRoom(home.requester)
==>
begin
  if home.exclusive then
    SendGrant(home.requester, DataM);
  else
    SendGrant(home.requester, DataS);
  end;
  EndTransaction();
end;

rule "home knows the block forwarded"
  home.phase = Forwarding
  & (forall p: Proc do !home.awaited[p] end)
==>
begin
  EndTransaction();
end;

invariant "single writer"
  forall p: Proc do
    forall q: Proc do
      p != q & cache[p].state = M ->
        cache[q].state != M & cache[q].state != S & cache[q].state != S_M
    end
  end;

invariant "readable copies hold the latest value"
  forall p: Proc do
    cache[p].state = S | cache[p].state = S_M | cache[p].state = M ->
      cache[p].value = latest
  end;

invariant "memory is up to date when nobody owns the block"
  home.phase = Ready & isundefined(home.owner) -> home.memory = latest;
