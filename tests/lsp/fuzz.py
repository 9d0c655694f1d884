"""`strata lsp` under random edits and broken messages: it must not crash, must answer each request within a time, and
must stay within its memory.

    python3 fuzz.py --strata PATH [--count N] [--seed S]

Half of the steps edit a document (pieces of models that are moved, cut and repeated), most are followed by a request
at a random place; some steps send messages that are broken. A large model of ../shared/models is edited, too, if it is
there. The time of an answer is the processor time of the server, because other programs use the machine."""

import argparse
import json
import os
import random
import sys
import time

from client import COHERENCE, EXAMPLES, Client, framed, place

MODELS = [EXAMPLES / name for name in ("msi.m", "union_lock.m", "ring_election.m", "alternating_bit.dve", "dining.dve")]
LARGE = COHERENCE / "MU_FullSystem_3CC.m"
REQUESTS = ["textDocument/hover", "textDocument/definition", "textDocument/references", "textDocument/completion",
            "textDocument/prepareRename", "textDocument/rename", "textDocument/documentSymbol"]
# Of processor time, and of a short run, which shares the machine with other tests.
MOST_SECONDS, MOST_SECONDS_SHORT = 0.12, 1
MOST_MEMORY = 512 << 20
SCRAPS = ["begin", "end;", "record", "array [", "]", "(((((", "enum {", "}", ":=", ".", "->", "\"", "/*", "--", "0..",
          "ruleset p: Proc do", "process P {", "state a;", "\n", "\t", "\r", "é", "漢", "😀", "\u202e", "9" * 30,
          "x" * 300, "function f(): boolean; begin return f(); end;",
          "type T: array [0..99999999] of array [0..99999999] of boolean;"]


def broken(random_):
    """A message that is none: its body or its frame."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {}}).encode()
    cut = random_.randrange(len(body))
    return random_.choice([
        framed(body[:cut]), framed(bytes(random_.randrange(256) for _ in range(20))), framed(b"[" * 5000),
        framed(b'{"id": {}, "method": []}'),
        framed(b'{"method": "textDocument/didChange", "params": {"textDocument": 3}}'),
        framed(b'{"id": 7, "method": "textDocument/rename", "params": [1, 2, 3]}'), b"Content-Length: x\r\n\r\n",
        b"Content-Length: -5\r\n\r\n", b"\r\n\r\n", b"\x00\xff" * 50 + b"\r\n\r\n",
        framed(b'{"id": 1e99, "method": "x"}'), framed(b'{"id": "\xff", "method": "shutdow"}')])


class Fuzzer:
    def __init__(self, strata, seed):
        self.random = random.Random(seed)
        self.client = Client(strata)
        self.client.initialize()
        self.texts = {}
        self.slowest, self.worst = 0.0, ""
        for path in MODELS + ([LARGE] if LARGE.exists() else []):
            text = path.read_text(encoding="utf-8")
            self.texts[path.as_uri()] = self.original(path.as_uri(), text)
        self.originals = dict(self.texts)

    def original(self, uri, text):
        self.client.open(uri, text, "dve" if uri.endswith(".dve") else "murphi")
        return text

    def processor_seconds(self):
        fields = open(f"/proc/{self.client.process.pid}/stat", encoding="utf-8").read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        for line in open(f"/proc/{self.client.process.pid}/status", encoding="utf-8"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
        return 0

    def edit(self, uri):
        text, pick = self.texts[uri], self.random
        if pick.random() < 0.03 or len(text) > 2 * len(self.originals[uri]) + 10_000:
            self.texts[uri] = self.originals[uri]
            return self.client.change(uri, {"text": self.originals[uri]})
        begin = pick.randrange(len(text) + 1)
        end = min(len(text), begin + pick.choice([0, 0, 1, 3, 20, 200]))
        source = pick.choice(list(self.texts.values()))
        piece = pick.randrange(len(source) + 1)
        new = pick.choice(["", pick.choice(SCRAPS), source[piece:piece + pick.choice([1, 5, 30, 300])]])
        # The server's lines end with CR, too; a lone one would shift the places that are counted here.
        new = new.replace("\r", " ")
        self.client.change(uri, {"range": {"start": place(text, begin), "end": place(text, end)}, "text": new})
        self.texts[uri] = text[:begin] + new + text[end:]
        return None

    def ask(self, uri):
        text = self.texts[uri]
        where = {"textDocument": {"uri": uri}, "position": place(text, self.random.randrange(len(text) + 1)),
                 "newName": self.random.choice(["fresh", "p", "end", "1", "Proc"]), "context": {}}
        method = self.random.choice(REQUESTS)
        before, began = self.processor_seconds(), time.monotonic()
        self.client.answer(self.client.start_request(method, where), 60)
        # The clock of the process counts in hundredths of a second.
        took = min(self.processor_seconds() - before, time.monotonic() - began)
        if took > self.slowest:
            self.slowest, self.worst = took, f"{method} in {uri}"

    def step(self):
        uri = self.random.choice(list(self.texts))
        kind = self.random.random()
        if kind < 0.1:
            self.client.send_bytes(broken(self.random))
        else:
            if kind < 0.6:
                self.edit(uri)
            if kind > 0.3:
                self.ask(uri)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fuzzer = Fuzzer(options.strata, options.seed)
    for number in range(options.count):
        try:
            fuzzer.step()
        except Exception as error:  # the server has ended, or gives no answer
            print(f"seed {options.seed}, step {number}: {type(error).__name__} {error}; exit code "
                  f"{fuzzer.client.process.poll()}")
            return 1
    memory, code = fuzzer.memory(), fuzzer.client.end()
    most = MOST_SECONDS if options.count >= 10_000 else MOST_SECONDS_SHORT
    print(f"{options.count} steps: slowest answer {fuzzer.slowest * 1000:.0f} ms ({fuzzer.worst}), memory "
          f"{memory >> 20} MiB, exit code {code}")
    return 0 if code == 0 and fuzzer.slowest <= most and memory < MOST_MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
