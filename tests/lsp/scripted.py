"""`strata lsp` as an editor uses it: a script of messages, and the answers to the letter.

    python3 scripted.py --strata PATH
"""

import argparse
import sys
import tempfile
from pathlib import Path

from client import EXAMPLES, Client, at, place

PROBLEMS = []


def same(found, wanted, what):
    if found != wanted:
        PROBLEMS.append(f"{what}\n  found    {found}\n  expected {wanted}")


def lines(locations):
    return [one["range"]["start"]["line"] + 1 for one in locations]


def names(client, uri, text):
    """Definition, hover, references, outline, completion, rename in examples/msi.m."""
    line_of = lambda words: text[:text.index(words)].count("\n") + 1
    go = client.ask("textDocument/definition", at(uri, text, "SendRequest(p, GetS)"))
    same(lines([go]), [line_of("procedure SendRequest")], "the definition of a procedure")
    go = client.ask("textDocument/definition", at(uri, text, "phase = Invalidating"))
    same(lines([go]), [line_of("phase: enum")], "the definition of a field")
    hover = client.ask("textDocument/hover", at(uri, text, "ProcCount);"))["contents"]["value"]
    same(hover.splitlines()[0], "ProcCount: integer = 3", "the value of a constant")
    hover = client.ask("textDocument/hover", at(uri, text, "home.requester := p"))["contents"]["value"]
    same(hover.splitlines()[0], "home: Home", "the type of a variable")
    found = client.ask("textDocument/references", {**at(uri, text, "Forwarding }"),
                                                   "context": {"includeDeclaration": True}})
    same(len(found), text.count("Forwarding") - text.count("SendForwarding"), "the uses of a member")
    outline = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    same([one["name"] for one in outline][:4], ["ProcCount", "ValueCount", "Depth", "Proc"], "the outline begins")
    same([one["name"] for one in outline if one["kind"] == 24][:2], ["load miss", "store miss"], "rules of the outline")
    edit = client.ask("textDocument/rename", {**at(uri, text, "HasRoom(p: Proc)"), "newName": "has_space"})
    same(len(edit["changes"][uri]), text.count("HasRoom("), "all places are renamed")
    try:
        client.ask("textDocument/rename", {**at(uri, text, "HasRoom(p: Proc)"), "newName": "home"})
        same("renamed", "refused", "a name that is taken")
    except ValueError as error:
        same("already declared" in str(error), True, f"why a name is refused: {error}")


def typing(client, uri, text):
    """A rule is typed at the end: mistakes come as they are made, completion knows the types."""
    line = text.count("\n")
    typed = ""
    for piece in ['rule "new" ', "home.", "phase = ", "Ready ==> begin end;"]:
        end = {"line": line, "character": len(typed)}
        client.change(uri, {"range": {"start": end, "end": end}, "text": piece})
        typed += piece
        now = {"textDocument": {"uri": uri}, "position": {"line": line, "character": len(typed)}}
        items = client.ask("textDocument/completion", now)["items"]
        if piece == "home.":
            same([one["label"] for one in items], ["memory", "owner", "sharer", "phase", "requester", "exclusive",
                                                   "invalidate", "awaited"], "the fields of a record")
        if piece == "phase = ":
            best = [one["label"] for one in items if one["sortText"].startswith("0")]
            same(best, ["Ready", "Invalidating", "Forwarding"], "the members of the compared enum")
            same(len(client.diagnostics(uri)), 1, "half a rule is a mistake")
    same(client.diagnostics(uri), [], "a whole rule is none")
    client.change(uri, {"text": text.replace("home.phase := Ready;", "home.phase := Redy;", 1)})
    found = client.diagnostics(uri)
    same([one["message"] for one in found], ["unknown name 'Redy'; did you mean 'Ready'?"], "a slip")
    same(found[0]["range"]["start"]["line"], text[:text.index("home.phase := Ready;")].count("\n"), "its line")
    client.change(uri, {"text": text})
    same(client.diagnostics(uri), [], "and it is mended")


def commands(client, folder):
    """Check and step run beside the server; a check can be cancelled."""
    path = folder / "msi_bug.m"
    path.write_text((EXAMPLES / "msi_bug.m").read_text(encoding="utf-8"), encoding="utf-8")
    uri = path.as_uri()
    client.open(uri, path.read_text(encoding="utf-8"))
    same(client.diagnostics(uri), [], "a good model")
    run = client.ask("workspace/executeCommand", {"command": "strata.check", "arguments": [uri, "--threads", "1"],
                                                  "workDoneToken": "w"}, 120)
    same((run["exitCode"], run["verdict"]), (12, "violated"), f"the verdict: {run['output'][-500:]}")
    kinds = [one["params"]["value"]["kind"] for one in client.seen if one.get("method") == "$/progress"]
    same((kinds[0], kinds[-1]), ("begin", "end"), "progress")
    shown = [one["params"]["diagnostics"] for one in client.seen
             if one.get("method") == "textDocument/publishDiagnostics" and one["params"]["uri"] == uri]
    while not shown[-1]:
        message = client.receive()
        if message.get("method") == "textDocument/publishDiagnostics":
            shown.append(message["params"]["diagnostics"])
    same(shown[-1][0]["message"], 'Invariant "single writer" failed.', "the failure is shown in the text")
    step = client.ask("workspace/executeCommand", {"command": "strata.step", "arguments": [uri, "1", "1", "path"]}, 120)
    same("load miss" in step["output"], True, f"a step: {step}")
    large = EXAMPLES / "peterson.m"
    number = client.start_request("workspace/executeCommand", {
        "command": "strata.check", "arguments": [large.as_uri(), "-D", "N=7", "--threads", "1"], "workDoneToken": "c"})
    while not any(one.get("method") == "$/progress" and one["params"]["token"] == "c"
                  and one["params"]["value"]["kind"] == "report" for one in client.seen):
        client.receive(120)
    client.tell("window/workDoneProgress/cancel", {"token": "c"})
    same(client.answer(number, 60).get("error", {}).get("code"), -32800, "a cancelled check")


def checked_text(client, folder):
    """Failures are marked only in the text that was checked; elsewhere a message says that there are some."""
    path = folder / "two.m"
    saved = "var x: 0..3;\nstartstate x := 0; end;\nrule x < 3 ==> x := x + 1; end;\ninvariant x < 2;\n"
    path.write_text(saved, encoding="utf-8")
    uri = path.as_uri()
    client.open(uri, "-- not saved\n" + saved)
    same(client.diagnostics(uri), [], "a good model")
    check = {"command": "strata.check", "arguments": [uri, "--threads", "1"]}
    same(client.ask("workspace/executeCommand", check, 120)["verdict"], "violated", "the saved text is checked")
    logs = [one["params"]["message"] for one in client.seen if one.get("method") == "window/logMessage"]
    same(["two.m: 1 findings" in one for one in logs], [True], f"a message about the findings: {logs}")
    client.change(uri, {"text": saved})
    client.diagnostics(uri)
    client.ask("workspace/executeCommand", check, 120)
    shown = client.receive()
    same([one["range"]["start"]["line"] for one in shown["params"]["diagnostics"]], [3], f"the saved text: {shown}")


def large_report(client, folder):
    """A report that is larger than the server keeps."""
    path = folder / "long.m"
    path.write_text("var x: 0..20000; a: array [1..120] of 0..1;\n"
                    "startstate x := 0; for i: 1..120 do a[i] := 0; end; end;\n"
                    "rule x < 20000 ==> x := x + 1; end;\ninvariant x < 19999;\n", encoding="utf-8")
    uri = path.as_uri()
    client.open(uri, path.read_text(encoding="utf-8"))
    client.diagnostics(uri)
    run = client.ask("workspace/executeCommand", {"command": "strata.check",
                                                  "arguments": [uri, "--threads", "1"]}, 120)
    same((run["exitCode"], "verdict" in run), (12, False), "a check with a large report")
    same("the report of this check is larger than 16 MiB" in run["output"], True, "the output says it")
    shown = client.receive()["params"]["diagnostics"]
    same(["is larger than 16 MiB" in one["message"] for one in shown], [True], f"the text says it: {shown}")


def channels(client):
    """DVE: processes, states, channels."""
    path = EXAMPLES / "alternating_bit.dve"
    uri, text = path.as_uri(), path.read_text(encoding="utf-8")
    client.open(uri, text, "dve")
    same(client.diagnostics(uri), [], "a good DVE model")
    go = client.ask("textDocument/definition", at(uri, text, "acks", text.count("acks") - 1))
    same(lines([go]), [text[:text.index("channel {byte} acks")].count("\n") + 1], "the definition of a channel")
    outline = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    sender = next(one for one in outline if one["name"] == "Sender")
    same([one["name"] for one in sender["children"] if one["kind"] == 22], ["ready", "waiting", "answered"],
         "the states of a process")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        client = Client(options.strata, XDG_CACHE_HOME=scratch)
        same("renameProvider" in client.initialize()["capabilities"], True, "what the server can do")
        path = EXAMPLES / "msi.m"
        uri, text = path.as_uri(), path.read_text(encoding="utf-8")
        client.open(uri, text)
        same(client.diagnostics(uri), [], "a good model")
        names(client, uri, text)
        typing(client, uri, text)
        channels(client)
        commands(client, Path(scratch))
        checked_text(client, Path(scratch))
        large_report(client, Path(scratch))
        same(client.end(), 0, "an orderly end")
        assert place("a\nbc", 3) == {"line": 1, "character": 1}
    print("\n".join(PROBLEMS) if PROBLEMS else "the server answers as it should")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
