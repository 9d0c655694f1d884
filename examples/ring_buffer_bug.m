-- expect: error
-- trace: 17
--
-- The queue in a ring of cells of ring_buffer.m, which explains it, with a producer that steps over the edge.
--
-- Seeded bug: the producer wraps its index one cell too late, so after the last cell `tail` becomes Size,
-- and the next write has an array index out of range: a run-time error.

const
  Size: 3;                    -- cells, at least 2
  Items: 5;                   -- different items; more than Size, to notice an overwritten one

type
  Cell: 0..Size-1;
  Item: 0..Items-1;

var
  cell: array [Cell] of Item;
  head: Cell;                                 -- the oldest item
  tail: 0..Size;                              -- the first free cell

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
  producer = WaitRoom & (tail + 1) % Size != head
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
  if tail >= Size then        -- wrong: must be Size - 1
    tail := 0;
  else
    tail := tail + 1;
  end;
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
