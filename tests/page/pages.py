"""The pages that the checks look at: some models, each checked once."""

import json
import os
import pathlib
import subprocess

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"

# A trace of 10,000 steps in a state of some hundred values.
LONG = """\
type Id: 0..99;
var x: 0..10000; cells: array [Id] of record count: 0..200; odd: boolean; end;
startstate x := 0; for i: Id do cells[i].count := 0; cells[i].odd := false; end; end;
rule "tick" x < 10000 ==>
  x := x + 1; cells[x % 100].count := cells[x % 100].count + 1; cells[x % 100].odd := !cells[x % 100].odd; end;
invariant "never there" x < 10000;
"""
# Messages go from sender to receiver through a multiset, in which one is replaced by another too.
POST = """\
type Node: enum { Ann, Bob, Cid };
  Letter: record src: Node; dst: Node; kind: enum { Ask, Answer }; end;
var post: multiset [3] of Letter; answered: 0..2;
startstate undefine post; answered := 0; end;
ruleset n: Node do
  rule "ask" n = Ann & multisetcount(i: post, true) = 0 & answered = 0 ==>
  var letter: Letter;
  begin
    letter.src := n; letter.kind := Ask;
    letter.dst := Bob; multisetadd(letter, post);
    letter.dst := Cid; multisetadd(letter, post);
  end;
end;
ruleset n: Node do choose i: post do
  rule "reply" post[i].dst = n & post[i].kind = Ask ==>
  var letter: Letter;
  begin
    letter.src := n; letter.dst := post[i].src; letter.kind := Answer;
    multisetremove(i, post);
    multisetadd(letter, post);
  end;
end; end;
ruleset n: Node do choose i: post do
  rule "read" post[i].dst = n & post[i].kind = Answer ==> multisetremove(i, post); answered := answered + 1; end;
end; end;
invariant "not both" answered < 2;
"""
# What could break out of the page, in every place where a model may have text.
HOSTILE = """\
-- </script><script>window.hacked = 1</script> <!-- <img src=x onerror="window.hacked = 1"> ' " & é ∀ 漢字
const N: 3;
var x: 0..3; word: enum { proto, constructor };
startstate "</script><script>window.hacked = 2</script>" x := 0; word := proto; end;
rule "<img src=x onerror='window.hacked = 3'>" x < N ==> x := x + 1; end;
rule "\u202e&lt;b&gt; ∀ 漢字 `${window.hacked = 4}` \\\\" x = 1 ==> word := constructor; end;
invariant "<!--<script>&quot;'\u2028" x < N;
"""
# A start state that fails.
START = """\
var x: 0..3;
startstate var y: 0..9; y := 9; x := y; end;
rule "r" x < 3 ==> x := x + 1; end;
"""
# As Apalache and Quint write it: variables that not every state has, sets, tuples, maps, large numbers.
FOREIGN = """{"#meta": {"format": "ITF", "description": "Created by another tool"}, "vars": ["msgs", "log", "owner"],
"states": [
  {"#meta": {"index": 0}, "msgs": {"#set": []}, "log": [], "owner": {"#map": [["a", {"#bigint": "0"}]]}},
  {"#meta": {"index": 1}, "msgs": {"#set": [{"type": "req"}, {"#tup": ["x", 1]}]}, "log": ["a"],
   "owner": {"#map": [["a", 1]]}, "mbt::actionTaken": "request"},
  {"#meta": {"index": 2}, "msgs": {"#set": [{"#tup": ["x", 1]}]}, "log": ["a", "b"],
   "owner": {"#map": [["a", {"#bigint": "99999999999999999999"}], ["c", 5]]}, "mbt::actionTaken": "grant"}]}
"""
DIVISION = """\
var x, y: 0..3;
startstate x := 3; y := 0; end;
rule "down" x > 0 ==> put "down from "; put x; x := x - 1; end;
rule "divide" x < 3 ==> put "x is <b>"; put x; y := 3 / x; end;
"""


class Page:
    """One run: its page, and what JSON and ITF say of it."""

    def __init__(self, folder, name):
        self.name = name
        self.path = folder / f"{name}.html"
        self.json_path, self.trace_path = folder / f"{name}.json", folder / f"{name}.itf.json"
        self.report = self.trace = None

    def read(self):
        if self.json_path.exists():
            self.report = json.loads(self.json_path.read_text())
        if self.trace_path.exists():
            self.trace = json.loads(self.trace_path.read_text())
        return self


class Maker:
    def __init__(self, strata, folder):
        self.strata, self.folder, self.pages = strata, folder, {}

    def model(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def check(self, name, model, exit_code, *options):
        page = Page(self.folder, name)
        command = [self.strata, "check", str(model), "--threads", "1", "--report", str(page.path), "--json",
                   str(page.json_path), "--trace-file", str(page.trace_path), "--progress", "off", *options]
        self.run(command, exit_code)
        self.pages[name] = page.read()

    def run(self, command, exit_code):
        done = subprocess.run(command, text=True, capture_output=True, check=False, timeout=300)
        if done.returncode != exit_code:
            raise SystemExit(f"$ {' '.join(command)}\nexit {done.returncode}, expected "
                             f"{exit_code}\n{done.stdout}{done.stderr}")

    def resumed(self, name, run, exit_code, *options):
        page = Page(self.folder, name)
        self.run([self.strata, "resume", str(run), "--report", str(page.path), "--json", str(page.json_path),
                  "--progress", "off", *options], exit_code)
        self.pages[name] = page.read()

    def saved(self, name, path, source=None):
        page = Page(self.folder, name)
        self.run([self.strata, "trace", str(path), "--report", str(page.path)], 0)
        if source:
            page.report, page.trace = source.report, source.trace
        self.pages[name] = page


def make(strata, folder):
    maker = Maker(strata, folder)
    maker.check("holds", EXAMPLES / "peterson.m", 0, "-D", "N=3")
    maker.check("msi", EXAMPLES / "msi_bug.m", 12)
    maker.check("lasso", EXAMPLES / "dining.dve", 13, "--ltl", "G (Phil_0.one -> F Phil_0.eating)", "--finite",
                "ignore",
                "--algorithm", "minimal")
    maker.check("post", maker.model("post.m", POST), 12)
    maker.check("error", maker.model("division.m", DIVISION), 75)
    maker.check("bound", EXAMPLES / "peterson.m", 152, "--bound", "5")
    maker.check("several", maker.model("hostile.m", HOSTILE), 12, "--max-errors", "3", "--invariant",
                "word != constructor")
    # "x<" and "script>..." with the slash between them make the end of a script.
    hostile = maker.model("x<" + os.sep + "script><img src=x onerror='window.hacked=5'> \" é.m", HOSTILE)
    # The name of a lifeline is a text, too.
    maker.check("hostile", hostile, 12, "--actor", "<img src=x onerror='window.hacked = 3'>=<b>actor</b>")
    maker.check("long", maker.model("long.m", LONG), 12)
    maker.check("kept", EXAMPLES / "peterson.m", 152, "-D", "N=6", "--time-limit", "1", "--checkpoint",
                str(folder / "run's folder"))
    maker.resumed("resumed", folder / "run's folder", 152, "--time-limit", "1")
    maker.check("start", maker.model("start.m", START), 75)
    maker.saved("saved", maker.pages["lasso"].trace_path, maker.pages["lasso"])
    maker.saved("foreign", maker.model("foreign.itf.json", FOREIGN))
    return maker.pages
