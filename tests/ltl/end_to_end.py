"""Formulas on models, from the command line to the report: answers, lassos, messages, limits.

    python3 end_to_end.py --strata PATH [--every N]
"""

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

COUNTER = """\
var x: 0..3; stopped: boolean;
startstate x := 0; stopped := false; end;
rule "up" !stopped & x < 3 ==> x := x + 1; end;
rule "reset" !stopped & x = 3 ==> x := 0; end;
rule "stop" !stopped & x = 2 ==> stopped := true; end;
invariant "small" x < 3;
"""
LIGHT = """\
process P { state red, green; init red; trans red -> green {}, green -> red {}; }
process Q { byte n; state a; init a; trans a -> a { guard n < 3; effect n = n + 1; },
  a -> a { guard n == 3; effect n = 0; }; }
system async;
"""
LARGE = """\
var x: array [0..23] of boolean;
startstate for i: 0..23 do x[i] := false; end; end;
ruleset i: 0..23 do rule "flip" x[i] := !x[i]; end; end;
"""
# Process 1 toggles for ever; process 0 can leave its start at any time.
TOGGLE = """\
type Id: 0..1;
var at: array [Id] of boolean; pulse: boolean;
startstate at[0] := false; at[1] := false; pulse := false; end;
ruleset i: Id do
  rule "leave" i = 0 & !at[0] ==> at[0] := true; end;
  rule "toggle" i = 1 ==> at[1] := !at[1]; end;
end;
"""
# The two are one process now, which moves for ever without leaving; the rule alone is a process of its own.
ALONE = """\
type Id: 0..1;
var left, flag: boolean;
startstate left := false; flag := false; end;
ruleset i: Id do rule "toggle" i = 1 ==> flag := !flag; end; end;
rule "leave" !left ==> left := true; end;
"""
SHARED = ALONE.replace('rule "leave" !left', 'ruleset k: Id do rule "leave" k = 1 & !left')
SHARED = SHARED.replace("true; end;", "true; end; end;")
# Q can go to b in every state but is enabled only every second time, so weak fairness does not force it.
BLINK = """\
byte n;
process P { state red, green; init red; trans red -> green { effect n = 1; }, green -> red { effect n = 0; }; }
process Q { state a, b, c; init a; trans a -> b {}, b -> c { guard n == 1; }; }
system async;
"""
HANDSHAKE = """\
channel c;
process P { state p; init p; trans p -> p { sync c!; }; }
process Q { state q; init q; trans q -> q { sync c?; }; }
process R { state a, b; init a; trans a -> b {}; }
system async;
"""
PROPERTY = """\
process P { state a, b; init a; trans a -> b {}; }
process Q { state q; init q; trans q -> q {}; }
process LTL { state s, t; init s; accept t; trans s -> s {}, s -> t { guard not P.b; }, t -> t { guard not P.b; }; }
system async property LTL;
"""
# From x = 8 there is no way back to 7.
LADDER = """\
var x: 0..10;
startstate x := 0; end;
rule "up" x < 10 ==> x := x + 1; end;
rule "down" x > 0 & x != 8 ==> x := x - 1; end;
"""
NEVER = """\
never {
T0_init:
  do
  :: (!p) -> goto accept_S1
  :: (1) -> goto T0_init
  od;
accept_S1:
  do
  :: (!p) -> goto accept_S1
  od;
}
"""
# A depth-first search takes the longest path to the end, which does not fit into 96 MiB; there is a short one.
DEEP = """\
var x: 0..1500000;
startstate x := 0; end;
rule "up" x < 1500000 ==> x := x + 1; end;
rule "jump" x := 1500000; end;
"""
# A state and what goes with it in a queue of owcty or map just fill a block.
BULKY = """\
byte a[131004];
byte x = 0;
process P { state s, t; init s; trans s -> t { guard x < 5; effect x = x + 1; }, t -> s { effect a[x] = 1; }; }
system async;
"""
MODELS = {
    "deep.m": DEEP, "bulky.dve": BULKY,
    "two.dve": LIGHT, "two.ltl": "#define green P.green\n#property G F green\n#property F green\n",
    "one.dve": LIGHT, "one.ltl": "#define green P.green\n#property G F green\n",
    "counter.m": COUNTER, "light.dve": LIGHT, "large.m": LARGE, "never.txt": NEVER, "toggle.m": TOGGLE,
    "alone.m": ALONE, "shared.m": SHARED, "blink.dve": BLINK, "handshake.dve": HANDSHAKE, "property.dve": PROPERTY,
    "ladder.m": LADDER, "live.m": LADDER + 'liveness "low" x = 7;', "live_all.m": LADDER + 'ruleset i: 7..10 do '
                                                                                           'liveness "at" x = i; end;',
    "live_up.m": LADDER + 'ruleset i: 8..10 do liveness "at" x = i; end; liveness x > 3;',
    "live_undefined.m": "var y: 0..1;" + LADDER.replace("x := 0;", "x := 0; undefine y;") + "liveness y = 1;",
    "live_many.m": LADDER + 'ruleset i: 0..12; k: 0..4 do liveness "at" x = i + k; end;',
}
# Model, options, exit code, what the output must hold.
CASES = [
    ("counter.m", ["--ltl", 'G F "x = 0"'], 13, 'The formula fails: G F "x = 0"'),
    ("counter.m", ["--ltl", 'G F "x = 0"', "--finite", "ignore"], 0, "No error found."),
    ("counter.m", ["--ltl", 'F ("x = 2")'], 0, "No error found."),
    ("counter.m", ["--ltl", "G F small"], 0, "No error found."),
    ("counter.m", ["--ltl", "F G small"], 13, "repeats for ever"),
    ("counter.m", ["--ltl", "G F zero || F G two", "-p", "zero=x = 0", "-p", "two=x = 2"], 0, "No error found."),
    ("counter.m", ["--ltl", "G small"], 13, "it is checked as an invariant"),
    ("counter.m", ["--ltl", "AG small", "--algorithm", "part"], 13, "The formula fails: AG small"),
    ("counter.m", ["--ltl", "! F !small"], 13, "it is checked as an invariant"),
    ("counter.m", ["--ltl", 'EF "x = 3"'], 0, "No error found."),
    ("counter.m", ["--ltl", 'EF "stopped & x = 1"'], 13, "The formula fails"),
    ("counter.m", ["--automaton", "never.txt", "-p", "p=x = 0"], 13, 'The automaton "never.txt" accepts a path.'),
    ("counter.m", ["--automaton", "never.txt", "-p", "p=x = 0 | x = 2"], 0, "No error found."),
    ("light.dve", ["--ltl", "G F P.green"], 13, "Rule"),
    ("light.dve", ["--ltl", "G (P.green -> X (P.green || P.red))"], 0, "No error found."),
    ("light.dve", ["--ltl", 'G F "Q->n == 0" || F G "Q->n == n0"', "-p", "n0=3"], 13, "repeats for ever"),
    ("light.dve", ["--ltl", 'G F "n == 0"'], 150, "--ltl:1:6: error: unknown name 'n'"),
    ("light.dve", ["--ltl", "G F P", "-p", "P=Q.b"], 150, "-p P:1:3: error: process 'Q' has no state 'b'"),
    ("light.dve", ["--ltl", 'F G "Q->n == 3" || G F "Q->n == 3" || G F P.green'], 0, "No error found."),
    ("counter.m", ["--ltl", "G (small"], 150, "--ltl:1:9: error: expected an operator or ')'"),
    ("counter.m", ["--ltl", "G F nothing"], 150, "--ltl:1:5: error: unknown name 'nothing'\n  G F nothing\n      ^"),
    ("counter.m", ["--ltl", 'small U "x = 1 & nothing"'], 150, "--ltl:1:18: error: unknown name 'nothing'\n"),
    ("counter.m", ["--ltl", "G F z", "-p", "z=x +"], 150, "-p z:1:4:"),
    ("counter.m", ["--ltl", 'G F "x + 1"'], 150, "a proposition"),
    ("counter.m", ["--ltl", "F small", "--algorithm", "part"], 151, "not for cycles; choose one that does"),
    ("counter.m", ["--algorithm", "ndfs"], 151, "it looks for cycles, which only a formula asks for"),
    ("counter.m", ["--ltl", "F small", "--deadlock", "stuck"], 151, "looks for no deadlocks"),
    ("counter.m", ["--ltl", "F small", "--bound", "3"], 151, "a search for cycles cannot be bounded in depth"),
    ("counter.m", ["--ltl", "F small", "--max-errors", "3"], 151, "ends with its first counterexample"),
    ("counter.m", ["--ltl", "F small", "--store", "signatures"], 151, "keeps states exactly"),
    ("two.dve", [], 0, "note: the 2 formulas of 'two.ltl' are not checked; --property 1 or 2 checks one of them"),
    ("one.dve", [], 0, "note: the formula of 'one.ltl' is not checked; --property 1 checks it"),
    ("two.dve", ["--property", "1"], 13, "The formula fails"),
    ("counter.m", ["--ltl", "F small", "-p", "a"], 151, "NAME=EXPR"),
    ("counter.m", ["--automaton", "absent.hoa"], 153, "absent.hoa"),
    ("toggle.m", ["--ltl", 'F "at[0]"'], 13, "repeats for ever"),
    ("toggle.m", ["--ltl", 'F "at[0]"', "--fairness", "none"], 13, "repeats for ever"),
    ("toggle.m", ["--ltl", 'F "at[0]"', "--fairness", "weak"], 0,
     "only paths that are fair count: weak, to 2 processes"),
    ("toggle.m", ["--ltl", 'F G "!at[1]"', "--fairness", "weak"], 13, "repeats for ever"),
    ("toggle.m", ["--ltl", 'G "!at[0]"', "--fairness", "weak"], 13, "The formula fails"),
    ("toggle.m", ["--fairness", "weak"], 151, "--fairness weak: it is about infinite paths"),
    ("toggle.m", ["--ltl", "F x", "--fairness", "just"], 151, "'just' is not none, weak or strong"),
    ("alone.m", ["--ltl", "F left", "--fairness", "weak"], 0, "weak, to 3 processes"),
    ("shared.m", ["--ltl", "F left", "--fairness", "weak"], 13, "weak, to 2 processes"),
    ("light.dve", ["--ltl", "G F P.green"], 13, "repeats for ever"),
    ("light.dve", ["--ltl", "G F P.green", "--fairness", "weak"], 0, "No error found."),
    ("blink.dve", ["--ltl", "F Q.b"], 13, "repeats for ever"),
    ("blink.dve", ["--ltl", "F Q.b", "--fairness", "weak"], 0, "No error found."),
    ("blink.dve", ["--ltl", "F Q.c", "--fairness", "weak"], 13, "repeats for ever"),
    ("blink.dve", ["--ltl", "F Q.c", "--fairness", "strong"], 0, "strong, to 2 processes"),
    ("blink.dve", ["--ltl", "F Q.c", "--fairness", "strong:Q"], 0, "No error found."),
    ("blink.dve", ["--ltl", "F Q.c", "--fairness", "strong:P"], 13, "repeats for ever"),
    ("handshake.dve", ["--ltl", "F R.b"], 13, "repeats for ever"),
    ("handshake.dve", ["--ltl", "F R.b", "--fairness", "weak"], 0, "weak, to 3 processes"),
    ("property.dve", [], 13, "The property process accepts a path."),
    ("property.dve", ["--algorithm",
                      "ram"], 0, "Note: whether the property process accepts a path is not checked: ram looks for"),
    ("property.dve", ["--algorithm", "owcty", "--keep", "kept"], 13, "The property process accepts a path."),
    ("property.dve", ["--algorithm", "ioemc", "--threads", "2"], 13, "ioemc, 1 thread,"),
    ("deep.m", ["--ltl", 'G F "x = 0"', "--algorithm", "ndfs", "--memory", "96M"], 13,
     "returns to the state after step 2 and"),
    ("deep.m", ["--ltl", 'G F "x = 0"', "--algorithm", "ioemc", "--memory", "16M"], 13, "repeats for ever"),
    *(("bulky.dve", ["--ltl", 'F "x == 7"', "--algorithm", name, "--memory", "28M", "--threads", "1"], 13,
       "repeats for ever")
      for name in ("owcty", "map")),
    ("property.dve", ["--fairness", "weak"], 0, "weak, to 2 processes"),
    ("counter.m", ["--ltl", 'G F "x = 0"', "--fairness", "weak"], 13, "Stuttering"),
    ("counter.m", ["--automaton", "never.txt", "-p", "p=x = 0", "--fairness", "weak"], 13, "accepts a path."),
    ("ladder.m", ["--ltl", 'AG EF "x = 10"'], 0, "No error found."),
    ("ladder.m", ["--ltl", 'AG EF "x = 10"', "--algorithm", "ram"], 0, "which has a search of its own"),
    ("ladder.m", ["--ltl", 'AG EF "x = 7"'], 13, 'The formula fails: AG EF "x = 7"'),
    ("ladder.m", ["--ltl", 'AG EF ("x = 7" && "x = 8")'], 13, "The formula fails"),
    ("ladder.m", ["--ltl", 'AG EF "x = 7"', "--algorithm", "part"], 151, "leave --algorithm out"),
    ("ladder.m", ["--ltl", 'AG EF "x = 7"', "--algorithm", "ndfs"], 151, "leave --algorithm out"),
    ("ladder.m", ["--ltl", 'AG EF "x = 7"', "--store", "signatures"], 151, "keeps states exactly"),
    ("ladder.m", ["--ltl", 'AG EF "x = 7"', "--bound", "3"], 152, "the depth bound 3 was reached"),
    ("ladder.m", ["--ltl", 'AG EF (F "x = 7")'], 150, "AG and EF take a formula without temporal operators"),
    ("ladder.m", ["--ltl", 'AG EF "x = 7"', "--set", "ram=0"], 13, 'The formula fails: AG EF "x = 7"'),
    ("large.m", ["--ltl", 'AG EF "x[0]"', "--memory", "32M", "--algorithm", "ram"], 152,
     "the memory of 32 MiB is full"),
    ("live.m", [], 13, 'Liveness property "low" violated: its condition cannot be reached from the last state.'),
    ("live_all.m", [], 13, 'Liveness property "at" violated, i:7: its condition'),
    ("live_up.m", [], 0, "No error found."),
    ("live_up.m", ["--algorithm", "part"], 0, "No error found."),
    ("live_up.m", ["--invariant", "x < 9"], 12, "failed."),
    ("live_up.m", ["--ltl", 'F "x = 1"'], 0, "No error found."),
    ("live_undefined.m", [], 75, "y is read but undefined"),
    ("live_many.m", [], 150, "the liveness property has 65 instances; at most 64 are possible"),
    ("large.m", ["--ltl", 'F G "x[0]" || G F "!x[0]"', "--memory", "64M", "--algorithm", "ndfs"], 152,
     "the memory of 64 MiB is full"),
]


def run(strata, folder, model, options):
    return subprocess.run([strata, "check", model, "--progress", "off", *options], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300, check=False)


def lasso_problems(strata, folder):
    """The loop in JSON and ITF."""
    result = run(strata, folder, "counter.m", ["--ltl", 'G F "x = 0"', "--json", "-", "--trace-file", "trace.itf.json"])
    found = json.loads(result.stdout)
    example, trace = found["counterexample"], json.loads((folder / "trace.itf.json").read_text(encoding="utf-8"))
    if found["verdict"] != "violated" or found["property"] != 'LTL G F "x = 0"':
        yield f"the JSON says {found['verdict']} of {found['property']}"
    if example["loop"] is None or trace.get("loop") != example["loop"] or len(trace["states"]) != len(example["steps"]):
        yield f"the loop is {example['loop']} in JSON and {trace.get('loop')} in ITF"
    if found["errors"][0]["kind"] != "liveness" or example["loop_rule"] != "Stuttering":
        yield f"the error is {found['errors'][0]['kind']}, its loop closes by {example['loop_rule']}"
    loop = example["steps"][example["loop"]:]
    if any(step["state"]["x"] == 0 for step in loop):
        yield f"the loop visits x = 0: {loop}"


def witness_problems(strata, folder):
    """EF p that holds shows the way."""
    options = ["--ltl", 'EF "x = 2"', "--json", "-", "--trace-file", "witness.itf.json"]
    result = run(strata, folder, "counter.m", options)
    found = json.loads(result.stdout)
    steps = [step["state"]["x"] for step in found["witness"]["steps"]]
    trace = json.loads((folder / "witness.itf.json").read_text(encoding="utf-8"))
    if steps != [0, 1, 2] or found["counterexample"] is not None or len(trace["states"]) != 3:
        yield f"the witness goes {steps}, the ITF trace has {len(trace['states'])} states"
    if "a path to a state that the formula asks for" not in result.stderr:
        yield f"the text shows no witness\n{result.stderr}"
    off = run(strata, folder, "counter.m", ["--ltl", 'EF "x = 2"', "--trace", "off"])
    if "a path to a state" in off.stdout or off.returncode != 0:
        yield f"--trace off shows a witness\n{off.stdout}"


def goal_problems(strata, folder):
    """The shortest path to a state that cannot reach a goal, in JSON."""
    for options, length in ((["--ltl", 'AG EF "x = 7"'], 8), (["--ltl", 'AG EF "x = 3"'], 8)):
        found = json.loads(run(strata, folder, "ladder.m", [*options, "--json", "-"]).stdout)
        got = found["verdict"], found["counterexample"]["length"], found["algorithm"]
        if got != ("violated", length, "recurrence"):
            yield f"{options}: {got[0]}, length {got[1]}, algorithm {got[2]}"
    found = json.loads(run(strata, folder, "live.m", ["--json", "-"]).stdout)
    error = found["errors"][0]
    if error["kind"] != "liveness" or error["length"] != 8 or error["position"]["line"] != 5:
        yield f"live.m: {error}"
    if 'liveness "low"' not in found["property"]:
        yield f"live.m: the property is {found['property']}"
    many = json.loads(run(strata, folder, "live_all.m", ["--json", "-", "--max-errors", "3"]).stdout)
    if len(many["errors"]) != 3:
        yield f"live_all.m: {len(many['errors'])} errors"


def signal_problems(strata, folder):
    process = subprocess.Popen([strata, "check", "large.m", "--ltl", 'F G "x[0]" || G F "!x[0]"', "--progress", "off"],
                               cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    if process.returncode != 130 or "interrupted" not in output:
        yield f"^C: exit code {process.returncode}\n{output}"


def problems(strata, folder, every):
    for name, text in MODELS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for model, options, code, words in CASES[::every]:
        result = run(strata, folder, model, options)
        if result.returncode != code or words not in result.stdout + result.stderr:
            yield (f"strata check {model} {' '.join(options)}\n"
                   f"  exit code {result.returncode}, expected {code} and: {words}\n"
                   f"{result.stdout[-1500:]}{result.stderr}")
    yield from lasso_problems(strata, folder)
    yield from witness_problems(strata, folder)
    yield from goal_problems(strata, folder)
    yield from signal_problems(strata, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--every", type=int, default=1, help="3: every third case")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(problems(str(pathlib.Path(arguments.strata).resolve()), pathlib.Path(folder), arguments.every))
    print("\n".join(f"FAILED {problem}" for problem in found))
    print(f"{len(CASES[::arguments.every]) + 4} cases, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
