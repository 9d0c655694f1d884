"""A client of `strata lsp`: what an editor sends, and the answers."""

import json
import os
import pathlib
import queue
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
COHERENCE = ROOT.parent / "shared/models/murphi/coherence"


def framed(body):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


class Client:
    """A server in a process of its own, and the messages that it sent."""

    def __init__(self, strata, **environment):
        self.process = subprocess.Popen([os.path.abspath(strata), "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env={**os.environ, **environment})
        self.number, self.version, self.seen = 0, 0, []
        self.arrived = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length is None:
                break
            self.arrived.put(json.loads(stream.read(length)))
        self.arrived.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(framed({"jsonrpc": "2.0", **message}))

    def receive(self, timeout=20):
        """The next message; None: the server has ended."""
        message = self.arrived.get(timeout=timeout)
        if message is not None:
            self.seen.append(message)
        return message

    def start_request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def answer(self, number, timeout=20):
        """The answer to a request; other messages that come before it are kept in `seen`."""
        while (message := self.receive(timeout)) is not None:
            if message.get("id") == number and "method" not in message:
                return message
        raise EOFError("the server has ended")

    def ask(self, method, params, timeout=20):
        answer = self.answer(self.start_request(method, params), timeout)
        if "error" in answer:
            raise ValueError(answer["error"]["message"])
        return answer["result"]

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def initialize(self):
        result = self.ask("initialize", {"processId": os.getpid(), "rootUri": None,
                                         "capabilities": {"window": {"workDoneProgress": True}}})
        self.tell("initialized", {})
        return result

    def open(self, uri, text, language="murphi"):
        self.version += 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language,
                                                            "version": self.version, "text": text}})

    def change(self, uri, *changes):
        self.version += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.version},
                                             "contentChanges": list(changes)})

    def diagnostics(self, uri, timeout=20):
        """Those of the present version of a document."""
        while True:
            for message in self.seen:
                params = message.get("params", {})
                if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri and \
                        params.get("version") == self.version:
                    return params["diagnostics"]
            if self.receive(timeout) is None:
                raise EOFError("the server has ended")

    def end(self):
        """The exit code after an orderly end."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(20)


def place(text, offset):
    """Lines and UTF-16 code units from 0."""
    before = text[:offset]
    line = before.count("\n")
    return {"line": line, "character": len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2}


def at(uri, text, word, nth=0):
    offset = -1
    for _ in range(nth + 1):
        offset = text.index(word, offset + 1)
    return {"textDocument": {"uri": uri}, "position": place(text, offset)}
