-- expect: holds
-- states: 5280
-- rules: 10032
--
-- A queue without locks in a ring of Size cells, for one producer and one consumer.
--
-- The producer alone writes `tail`, the consumer alone writes `head`. The queue is empty when they are
-- equal and full when one more item would make them equal, so one cell always stays free. Each side works
-- in three steps that interleave with those of the other: check that there is an item or room, read or
-- write the cell, and only then publish the new index.
--
-- The producer writes the numbers 0 .. Items - 1 again and again, and the consumer asserts that it reads
-- them in this order. A cell that holds no item is undefined, so that reading it is a run-time error.
-- ring_buffer_bug.m and ring_buffer_race.m each have a mistake in the producer.

const
  Size: 8;                    -- cells, at least 2
  Items: 11;                  -- different items; more than Size, to notice an overwritten one

type
  Cell: 0..Size-1;
  Item: 0..Items-1;

var
  cell: array [Cell] of Item;
  head: Cell;                                 -- the oldest item
  tail: Cell;                                 -- the first free cell

  producer: enum { WaitRoom, Write, Publish };
  produced: Item;                             -- to be written next
  consumer: enum { WaitItem, Read, Release };
  consumed: Item;                             -- to be read next

function Following(c: Cell): Cell;
begin
  return (c + 1) % Size;
end;

startstate
begin
  undefine cell;
  head := 0;
  tail := 0;
  producer := WaitRoom;
  produced := 0;
  consumer := WaitItem;
  consumed := 0;
end;

rule "producer finds room"
  producer = WaitRoom & Following(tail) != head
==>
begin
  producer := Write;
end;

rule "producer writes"
  producer = Write
==>
begin
  assert isundefined(cell[tail]) "an item is overwritten";
  cell[tail] := produced;
  produced := (produced + 1) % Items;
  producer := Publish;
end;

rule "producer publishes"
  producer = Publish
==>
begin
  tail := Following(tail);
  producer := WaitRoom;
end;

rule "consumer finds item"
  consumer = WaitItem & head != tail
==>
begin
  consumer := Read;
end;

rule "consumer reads"
  consumer = Read
==>
begin
  assert cell[head] = consumed "items out of order";
  undefine cell[head];
  consumed := (consumed + 1) % Items;
  consumer := Release;
end;

rule "consumer releases cell"
  consumer = Release
==>
begin
  head := Following(head);
  consumer := WaitItem;
end;

invariant "one cell stays free"
  exists c: Cell do isundefined(cell[c]) end;
