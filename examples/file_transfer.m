-- expect: holds
-- states: 333
-- rules: 978
--
-- Transfer of a file with bounded retransmission (after the protocol of Philips' remote controls).
--
-- The sender transmits the file chunk by chunk over a channel that loses frames, and waits for the
-- acknowledgement of one chunk before it sends the next. Frames bear one bit that tells a chunk from the one
-- before. The sender's clock may wake it too early, so several copies of a chunk can be under way. It repeats
-- a chunk at most Retries times and then gives the file up. When the file is through, or was given up and the
-- channels are empty, the next file begins.
--
-- Frames also carry the number of their chunk, as their content: only the assertion looks at it. What the
-- receiver takes must be exactly the next chunk.
--
-- With many chunks the state space is long and narrow: a few hundred states for each chunk, three steps from
-- one chunk to the next, and hardly a transition that leads back. -D Chunks=2000 -D Capacity=6 -D Retries=8
-- has 2.7 million states in 6,029 levels.

const
  Chunks: 5;                  -- of a file
  Retries: 2;                 -- of a chunk
  Capacity: 2;                -- length of each channel

type
  Chunk: 0..Chunks-1;
  Bit: 0..1;
  Slot: 0..Capacity-1;
  Frame: record
    bit: Bit;
    content: Chunk;
  end;

var
  sender: enum { Ready, Waiting, Finished, Failed };
  current: Chunk;                             -- sender: the chunk to be acknowledged next
  tries: 0..Retries;                          -- sender: how often it was repeated
  received: 0..Chunks;                        -- receiver: how many chunks it has taken

  frames: array [Slot] of Frame;              -- sender to receiver; undefined from frameCount on
  frameCount: 0..Capacity;
  acks: array [Slot] of Bit;                  -- receiver to sender; undefined from ackCount on
  ackCount: 0..Capacity;

procedure Transmit();
begin
  frames[frameCount].bit := current % 2;
  frames[frameCount].content := current;
  frameCount := frameCount + 1;
end;

procedure DropFrame();
begin
  for i: Slot do
    if i + 1 < frameCount then
      frames[i] := frames[i + 1];
    end;
  end;
  undefine frames[frameCount - 1];
  frameCount := frameCount - 1;
end;

procedure DropAck();
begin
  for i: Slot do
    if i + 1 < ackCount then
      acks[i] := acks[i + 1];
    end;
  end;
  undefine acks[ackCount - 1];
  ackCount := ackCount - 1;
end;

procedure NewFile();
begin
  sender := Ready;
  current := 0;
  tries := 0;
  received := 0;
end;

startstate
begin
  NewFile();
  undefine frames;
  frameCount := 0;
  undefine acks;
  ackCount := 0;
end;

rule "send"
  sender = Ready & frameCount < Capacity
==>
begin
  Transmit();
  sender := Waiting;
end;

rule "repeat"
  sender = Waiting & tries < Retries & frameCount < Capacity
==>
begin
  Transmit();
  tries := tries + 1;
end;

rule "give up"
  sender = Waiting & tries = Retries
==>
begin
  sender := Failed;
end;

-- An old chunk is acknowledged again: its acknowledgement may have been lost.
rule "receive frame"
  frameCount > 0 & ackCount < Capacity
==>
begin
  if frames[0].bit = received % 2 then
    assert frames[0].content = received "a chunk is missing or came twice";
    received := received + 1;
  end;
  acks[ackCount] := frames[0].bit;
  ackCount := ackCount + 1;
  DropFrame();
end;

rule "receive acknowledgement"
  ackCount > 0
==>
begin
  if sender = Waiting & acks[0] = current % 2 then
    tries := 0;
    if current + 1 < Chunks then
      current := current + 1;
      sender := Ready;
    else
      sender := Finished;
    end;
  end;
  DropAck();
end;

rule "lose frame"
  frameCount > 0
==>
begin
  DropFrame();
end;

rule "lose acknowledgement"
  ackCount > 0
==>
begin
  DropAck();
end;

rule "next file"
  (sender = Finished | sender = Failed) & frameCount = 0 & ackCount = 0
==>
begin
  NewFile();
end;

invariant "the receiver has what was acknowledged and at most one chunk more"
  sender != Finished -> received = current | received = current + 1;

invariant "a file that is through is complete"
  sender = Finished -> received = Chunks;
