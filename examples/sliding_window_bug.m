-- expect: assertion
-- trace: 10
--
-- A sliding-window protocol (selective repeat) over channels that lose and duplicate, with a window that
-- is too large for its sequence numbers.
--
-- Seeded bug: Window = 2 needs SeqSpace >= 4, but SeqSpace is 3. The receiver's window then reaches the
-- sequence number of a message that was received, but whose retransmission is still under way. This copy is
-- taken for a later message and delivered out of order. The protocol is that of sliding_window.m, which
-- explains it; nothing but the constants differs.

const
  Window: 2;                  -- messages under way; should be at most SeqSpace / 2
  SeqSpace: 3;                -- sequence numbers 0 .. SeqSpace - 1; wrong: below 2 * Window
  Capacity: 2;                -- length of each channel
  Period: 2 * SeqSpace;       -- positions in the stream; any larger multiple of SeqSpace does as well

type
  Seq: 0..SeqSpace-1;
  Position: 0..Period-1;
  Offset: 0..Window-1;        -- relative to the beginning of a window
  Slot: 0..Capacity-1;
  Message: record
    seq: Seq;
    payload: Position;
  end;

var
  base: Position;                             -- sender: the oldest message under way
  sent: 0..Window;                            -- sender: how many are under way
  acked: array [Offset] of boolean;           -- sender: false beyond those sent

  expected: Position;                         -- receiver: to be delivered next
  received: array [Offset] of Position;       -- receiver: undefined where nothing has arrived

  data: array [Slot] of Message;              -- sender to receiver; undefined from dataCount on
  dataCount: 0..Capacity;
  ack: array [Slot] of Seq;                   -- receiver to sender; undefined from ackCount on
  ackCount: 0..Capacity;

-- The sender puts the message at this offset of its window into the channel.
procedure Transmit(offset: Offset);
begin
  data[dataCount].payload := (base + offset) % Period;
  data[dataCount].seq := (base + offset) % SeqSpace;
  dataCount := dataCount + 1;
end;

procedure DropData();
begin
  for i: Slot do
    if i + 1 < dataCount then
      data[i] := data[i + 1];
    end;
  end;
  undefine data[dataCount - 1];
  dataCount := dataCount - 1;
end;

procedure DropAck();
begin
  for i: Slot do
    if i + 1 < ackCount then
      ack[i] := ack[i + 1];
    end;
  end;
  undefine ack[ackCount - 1];
  ackCount := ackCount - 1;
end;

-- The receiver delivers what is complete at the beginning of its window.
procedure Deliver();
begin
  while !isundefined(received[0]) do
    assert received[0] = expected "delivered out of order";
    undefine received[0];
    for i: Offset do
      if i + 1 < Window & !isundefined(received[i + 1]) then
        received[i] := received[i + 1];
        undefine received[i + 1];
      end;
    end;
    expected := (expected + 1) % Period;
  end;
end;

-- The sender forgets what is acknowledged at the beginning of its window.
procedure Slide();
begin
  while acked[0] do
    for i: Offset do
      if i + 1 < Window then
        acked[i] := acked[i + 1];
      end;
    end;
    acked[Window - 1] := false;
    sent := sent - 1;
    base := (base + 1) % Period;
  end;
end;

startstate
begin
  base := 0;
  sent := 0;
  for i: Offset do
    acked[i] := false;
  end;
  expected := 0;
  undefine received;
  undefine data;
  dataCount := 0;
  undefine ack;
  ackCount := 0;
end;

rule "send"
  sent < Window & dataCount < Capacity
==>
begin
  Transmit(sent);
  sent := sent + 1;
end;

ruleset offset: Offset do
  rule "retransmit"
    offset < sent & !acked[offset] & dataCount < Capacity
  ==>
  begin
    Transmit(offset);
  end;
end;

-- With keep, the channel duplicates: the message is received and stays where it is.
ruleset keep: boolean do
  rule "receive data"
    dataCount > 0 & ackCount < Capacity
  ==>
  var
    offset: Seq;
  begin
    offset := (data[0].seq + SeqSpace - expected % SeqSpace) % SeqSpace;
    ack[ackCount] := data[0].seq;
    ackCount := ackCount + 1;
    if offset < Window then
      received[offset] := data[0].payload;
      Deliver();
    end;
    if !keep then
      DropData();
    end;
  end;

  rule "receive acknowledgement"
    ackCount > 0
  ==>
  var
    offset: Seq;
  begin
    offset := (ack[0] + SeqSpace - base % SeqSpace) % SeqSpace;
    if offset < sent then
      acked[offset] := true;
      Slide();
    end;
    if !keep then
      DropAck();
    end;
  end;
end;

rule "lose data"
  dataCount > 0
==>
begin
  DropData();
end;

rule "lose acknowledgement"
  ackCount > 0
==>
begin
  DropAck();
end;

-- How far the receiver is ahead of the beginning of the sender's window.
invariant "receiver within the sender's window"
  (expected + Period - base) % Period <= sent;
