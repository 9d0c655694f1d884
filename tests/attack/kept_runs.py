"""What kills.py and resuming.py share: questions about models, the algorithms that can be resumed, and a run in a
folder of --checkpoint that is ended and resumed."""

import dataclasses
import json
import subprocess
import time

import attack

# The states are the points of a cube; at its far corner everything ends.
CUBE = """const N: 70; BAD: 1000;
var a, b, c: 0..N;
startstate begin a := 0; b := 0; c := 0; end;
rule "a" a < N ==> begin a := a + 1; end;
rule "b" b < N ==> begin b := b + 1; end;
rule "c" c < N ==> begin c := c + 1; end;
cover a = N & b = N;
invariant "not yet" a + b + c != BAD;
"""

# The same with states of 300 bytes or more, which are alike for the most part.
WIDE = """const N: 30;
var a, b, c: 0..N; pad: array [0..299] of 0..255;
startstate begin a := 0; b := 0; c := 0; for i: 0..299 do pad[i] := i % 256; end; end;
rule "a" a < N ==> begin a := a + 1; pad[a] := 255 - a; end;
rule "b" b < N ==> begin b := b + 1; pad[100 + b] := 255 - b; end;
rule "c" c < N ==> begin c := c + 1; pad[200 + c] := 255 - c; end;
"""

# One counter passes its largest value early, which is an error state; the search goes on behind it.
OVERFLOW = """byte a = 250, b = 0, c = 0;
process P { state s; init s; trans s -> s { effect a = a + 1; }; }
process Q { state s; init s; trans s -> s { guard b < 199; effect b = b + 1; }; }
process R { state s; init s; trans s -> s { guard c < 199; effect c = c + 1; }; }
system async;
"""

# From every state the middle must stay reachable, which a second search finds out.
GOAL = """const N: 50;
var a, b, c: 0..N;
startstate begin a := 0; b := 0; c := 0; end;
rule "a" true ==> begin a := (a + 1) % (N + 1); end;
rule "b" b < N ==> begin b := b + 1; end;
rule "c" c < N ==> begin c := c + 1; end;
liveness "the beginning of a" a = 0;
"""


@dataclasses.dataclass(frozen=True)
class Question:
    """A model, with arguments. Of a complete search the counts are compared too."""
    name: str
    model: str
    arguments: tuple = ()
    cycles: bool = False
    bounded: bool = False
    signatures: bool = False
    small: bool = False  # for searches that look at each accepting state


def questions(world):
    """For searches of both kinds, a fraction of a second each."""
    cube, wide = world.write("cube.m", CUBE), world.write("wide.m", WIDE)
    overflow, goal = world.write("overflow.dve", OVERFLOW), world.write("goal.m", GOAL)
    peterson = attack.EXAMPLES / "peterson.m"
    off = ("--deadlock", "off")
    return [
        Question("peterson", str(peterson)),
        Question("peterson.dve", str(attack.EXAMPLES / "peterson.dve")),
        Question("cube", str(cube), off),
        Question("cube, deadlock", str(cube)),
        Question("cube, invariant", str(cube), ("-D", "BAD=200")),
        Question("cube, five errors", str(cube), ("-D", "BAD=180", "--max-errors", "5")),
        Question("cube, bound", str(cube), ("--bound", "130"), bounded=True),
        Question("cube, signatures", str(cube), (*off, "--store", "signatures:48"), signatures=True),
        Question("msi", str(attack.EXAMPLES / "msi.m")),
        Question("wide", str(wide), (*off, "--fold", "off")),
        Question("wide, folded", str(wide), (*off, "--fold", "on")),
        Question("error state", str(overflow), off),
        Question("goal", str(goal), off),
        Question("cube, F G", str(cube), ("--ltl", 'F G "a = N"'), cycles=True),
        Question("cube, lasso", str(cube), ("--ltl", 'F "a > N"'), cycles=True),
        Question("peterson, lasso", str(peterson), ("--ltl", 'G F "pc[0] = Critical"'), cycles=True),
        Question("small cube, F G", str(cube), ("--ltl", 'F G "a = N"', "-D", "N=13"), cycles=True, small=True),
        Question("small cube, lasso", str(cube), ("--ltl", 'F "a > N"', "-D", "N=13"), cycles=True, small=True),
    ]


@dataclasses.dataclass(frozen=True)
class Algorithm:
    name: str
    traits: frozenset
    parameters: frozenset

    def has(self, trait):
        return trait in self.traits

    def answers(self, question):
        return (question.cycles == self.has("cycles") and question.small == self.has("shortest_lasso")
                and (self.has("bounded") or not question.bounded)
                and (self.has("signatures") or not question.signatures))

    def memory(self):
        """In MiB: enough for those that have no disk, and little for the others."""
        return 32 if self.has("on_disk") and not self.has("gives_up") else 256


def resumable_algorithms(world):
    _, out, _ = world.run(["algorithms", "--json", "-"])
    rows = [Algorithm(row["name"], frozenset(name for name, has in row["traits"].items() if has),
                      frozenset(parameter["name"] for parameter in row["parameters"]))
            for row in json.loads(out)["algorithms"]]
    # Those on a device are tested by tests/command/devices.py and DeviceResumeTest.
    return [row for row in rows if row.has("resumable") and not row.has("on_device")]


class KeptRun:
    """A run of a question in its own folder of --checkpoint."""

    def __init__(self, world, algorithm, question, name="run", extra=()):
        self.world, self.algorithm, self.question = world, algorithm, question
        self.folder = world.folder / name
        self.report = world.folder / f"{name}.json"
        self.extra = extra
        self.began = False

    def check(self):
        return ["check", self.question.model, *self.question.arguments, "--algorithm", self.algorithm.name, "--memory",
                f"{self.algorithm.memory()}M", "--progress", "off", *self.extra]

    def next_command(self, memory=None, threads=None, more=()):
        """The command that begins the run, or resumes it."""
        if (self.folder / "checkpoint").exists():
            command = ["resume", self.folder]
        else:
            command = [*self.check(), "--checkpoint", self.folder, "--checkpoint-every", "0.03s", "--json", self.report]
            memory = None
        self.began = True
        if memory:
            command += ["--memory", f"{memory}M"]
        if threads:
            command += ["--threads", threads]
        return [*command, *more]

    def strike(self, command, seconds, number):
        """Starts the run and sends a signal after some seconds; whether the run had not ended before."""
        process = self.world.start(command)
        try:
            process.wait(seconds)
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            process.wait(60)
            return True
        finally:
            self.code = process.returncode
            self.out = (self.world.folder / "stdout").read_text(encoding="utf-8", errors="replace")

    def answer(self):
        return attack.read_json(self.report) or {}


class References:
    """What runs answer that nothing ends, each run once; and how long they take."""

    def __init__(self, world):
        self.world = world
        self.known = {}

    def of(self, run):
        key = (run.algorithm.name, run.question.name, run.extra)
        if key not in self.known:
            report = self.world.folder / "reference.json"
            self.world.run([*run.check(), "--bound", "0"] if run.algorithm.has("bounded") else run.check())  # compiles
            begin = time.monotonic()
            code, out, errors = self.world.run([*run.check(), "--json", report])
            answer = attack.read_json(report)
            self.world.expect(answer is not None, f"{key}: no answer: {code} {out[-500:]} {errors[-500:]}")
            self.known[key] = (code, answer or {}, time.monotonic() - begin)
        return self.known[key]


def length(answer):
    return (answer.get("counterexample") or {}).get("length")


def expect_same(world, run, reference, what):
    """The answer of a run that was ended and resumed, against the one of a run that was not."""
    code, expected, _ = reference
    found = run.answer()
    names = ["verdict", "stop"]
    complete = expected["verdict"] == "holds" or (run.question.name == "error state")
    if complete or expected["stop"] == "bound":
        names.append("states")
        if not run.algorithm.has("revisits"):
            names.append("transitions")
        if run.algorithm.has("exact_depth"):
            names += ["depth", "levels"]
        names.append("covers")
    for name in names:
        world.expect(found.get(name) == expected.get(name),
                     f"{what}: {name} is {str(found.get(name))[:200]}, and was {str(expected.get(name))[:200]}")
    if run.algorithm.has("level_by_level"):
        world.expect(length(found) == length(expected), f"{what}: length {length(found)}, and was {length(expected)}")
    world.expect(len(found.get("errors", [])) == len(expected.get("errors", [])), f"{what}: another number of errors")
    world.expect(run.code == code, f"{what}: exit code {run.code}, and was {code}\n{world.said()[-1000:]}")
    world.expect(not run.folder.exists(), f"{what}: {run.folder} is left")
    world.expect(found.get("checkpoint", {}).get("stands") is False, f"{what}: a checkpoint stands after the end")
