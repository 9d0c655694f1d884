"""Predicts how long a search takes on many ranks: a model of time and traffic, level by level; and replays it by the
transport.

A level of L states on R ranks. A hash gives each rank n = L / R states on average; the largest share is n + sqrt(2 n
ln R). Each rank expands its states, sends `travel` states for each of them, and receives as many. Successors that
belong to other ranks are sent unless the rank has sent them recently; the more ranks share the parents of a state,
the fewer successors are omitted:

    travel  = successors * (1 - 1 / R) * (1 - again / R)
To each of R - 1 others it sends full batches and, at the
end of the level, one that is not full. A level ends with two collectives, each up and down a tree of ranks:

    work    = n_most * (expand + travel * insert) + 2 * messages * message
    wire    = n_most * travel * bytes / bandwidth
    level   = max(work, wire) + latency + 4 * log2(R) * hop

Expanding and sending overlap, because batches are sent during the expansion."""

import dataclasses
import json
import math
import subprocess


@dataclasses.dataclass
class Parameters:
    """Times in microseconds, of a rank with all its threads."""
    expand: float  # a state: its successors, and those of them that stay are inserted
    insert: float = 0.1  # a state received from another rank
    message: float = 2.0  # a batch, on either side
    hop: float = 40.0  # a step of a collective, with the wire's latency
    latency: float = 10.0
    bandwidth: float = 3125.0  # bytes in a microsecond: 25 Gbit/s
    successors: float = 3.0  # of a state
    again: float = 0.5  # share of them that a rank alone would not send, having sent them lately
    bytes: float = 16.0  # of a state that is sent
    batch: int = 32 << 10
    window: int = 4

    def travel(self, ranks):
        return self.successors * (1 - 1 / ranks) * (1 - self.again / ranks)


@dataclasses.dataclass
class Prediction:
    ranks: int
    seconds: float = 0.0
    work: float = 0.0  # what the states themselves take: the same for any number of ranks, but for the division
    messages: float = 0.0  # seconds for batches
    wire: float = 0.0  # seconds in which the network was slower than the processors
    ends: float = 0.0  # seconds for the ends of levels
    uneven: float = 0.0  # seconds because one rank has more states than the others
    bytes_sent: float = 0.0  # of a rank

    def limit(self):
        parts = {"states": self.work, "batches": self.messages, "network": self.wire, "ends of levels": self.ends,
                 "uneven shares": self.uneven}
        return max(parts, key=parts.get)


def batches(states, ranks, p):
    """The number of messages of one rank in a level with this many own states."""
    if ranks == 1:
        return 0.0
    each = states * p.travel(ranks) / (ranks - 1)  # states for one other rank
    full = math.floor(each * p.bytes / p.batch)
    return (ranks - 1) * (full + 1 - math.exp(-(each - full * p.batch / p.bytes)))


def predict(levels, ranks, p):
    total = Prediction(ranks)
    state = p.expand + p.travel(ranks) * p.insert
    for level in levels:
        mean = level / ranks
        most = min(level, mean + math.sqrt(2 * mean * math.log(ranks))) if ranks > 1 else mean
        work, uneven = mean * state / 1e6, (most - mean) * state / 1e6
        messages = 2 * batches(mean, ranks, p) * p.message / 1e6
        wire = max(0.0, most * p.travel(ranks) * p.bytes / p.bandwidth / 1e6 - work - uneven - messages)
        ends = (p.latency + 4 * math.ceil(math.log2(ranks)) * p.hop) / 1e6 if ranks > 1 else 0.0
        total.work += work
        total.uneven += uneven
        total.messages += messages
        total.wire += wire
        total.ends += ends
        total.bytes_sent += mean * p.travel(ranks) * p.bytes
    total.seconds = total.work + total.uneven + total.messages + total.wire + total.ends
    return total


def buffers(ranks, p):
    """Bytes of the buffers of a rank, as in Transport::bytes_needed."""
    return 2 * (ranks - 1) * p.window * (p.batch + 80)


def replay(program, levels, ranks, p, stretch):
    """Seconds for the same levels, replayed by the transport between ranks in one process."""
    settings = {"expand": p.expand, "insert": p.insert, "message": p.message, "travel": p.travel(ranks),
                "bytes": p.bytes, "batch": p.batch, "window": p.window, "latency": p.latency, "bandwidth": p.bandwidth,
                "stretch": stretch}
    done = subprocess.run([program, str(ranks), *(f"{name}={value}" for name, value in settings.items())],
                          input="\n".join(map(str, levels)), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["seconds"]
