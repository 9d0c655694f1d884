-- expect: error
-- trace: 4
--
-- The queue in a ring of cells of ring_buffer.m, which explains it, with a producer that publishes too early.
--
-- Seeded bug: the producer moves `tail` first and writes the cell afterwards. A consumer that is quick
-- enough reads the cell in between, while it is still undefined: a run-time error.

const
  Size: 3;                    -- cells, at least 2
  Items: 5;                   -- different items; more than Size, to notice an overwritten one

type
  Cell: 0..Size-1;
  Item: 0..Items-1;

var
  cell: array [Cell] of Item;
  head: Cell;                                 -- the oldest item
  tail: Cell;                                 -- the first free cell

  producer: enum { WaitRoom, Publish, Write };
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
  producer := Publish;        -- wrong: must write first
end;

rule "producer publishes"
  producer = Publish
==>
begin
  tail := Following(tail);
  producer := Write;
end;

rule "producer writes"
  producer = Write
==>
begin
  cell[(tail + Size - 1) % Size] := produced;
  produced := (produced + 1) % Items;
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
