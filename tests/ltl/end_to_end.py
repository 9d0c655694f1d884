"""Formulas on models, from the command line to the report: answers, lassos, messages, limits.

    python3 end_to_end.py --strata PATH
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
process Q { byte n; state a; init a; trans a -> a { guard n < 3; effect n = n + 1; }, a -> a { guard n == 3; effect n = 0; }; }
system async;
"""
LARGE = """\
var x: array [0..23] of boolean;
startstate for i: 0..23 do x[i] := false; end; end;
ruleset i: 0..23 do rule "flip" x[i] := !x[i]; end; end;
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
    ("light.dve", ["--ltl", 'G F "n == 0"'], 150, "proposition:1:1: unknown name 'n'"),
    ("light.dve", ["--ltl", "G F P", "-p", "P=Q.b"], 150, "-p P:1:3: process 'Q' has no state 'b'"),
    ("light.dve", ["--ltl", 'F G "Q->n == 3" || G F "Q->n == 3" || G F P.green'], 0, "No error found."),
    ("counter.m", ["--ltl", "G (small"], 150, "--ltl:1:9: expected an operator or ')'"),
    ("counter.m", ["--ltl", "G F nothing"], 150, "unknown name 'nothing'"),
    ("counter.m", ["--ltl", "G F z", "-p", "z=x +"], 150, "-p z:1:4:"),
    ("counter.m", ["--ltl", 'G F "x + 1"'], 150, "a proposition"),
    ("counter.m", ["--ltl", "F small", "--algorithm", "part"], 151, "not for cycles; choose ndfs"),
    ("counter.m", ["--algorithm", "ndfs"], 151, "it looks for cycles, which only a formula asks for"),
    ("counter.m", ["--ltl", "F small", "--deadlock", "stuck"], 151, "looks for no deadlocks"),
    ("counter.m", ["--ltl", "F small", "--bound", "3"], 151, "no bound on the depth"),
    ("counter.m", ["--ltl", "F small", "--max-errors", "3"], 151, "ends with its first counterexample"),
    ("counter.m", ["--ltl", "F small", "--store", "signatures"], 151, "keeps states exactly"),
    ("counter.m", ["--ltl", "F small", "--invariant", "x < 3"], 151, "exclude each other"),
    ("counter.m", ["--ltl", "F small", "--automaton", "never.txt"], 151, "exclude each other"),
    ("counter.m", ["--ltl", "F small", "-p", "a"], 151, "NAME=EXPR"),
    ("counter.m", ["--automaton", "absent.hoa"], 153, "absent.hoa"),
    ("large.m", ["--ltl", 'F G "x[0]" || G F "!x[0]"', "--memory", "64M"], 152, "the memory of 64 MiB is full"),
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


def signal_problems(strata, folder):
    process = subprocess.Popen([strata, "check", "large.m", "--ltl", 'F G "x[0]" || G F "!x[0]"', "--progress", "off"],
                               cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    if process.returncode != 130 or "interrupted" not in output:
        yield f"^C: exit code {process.returncode}\n{output}"


def problems(strata, folder):
    for name, text in (("counter.m", COUNTER), ("light.dve", LIGHT), ("large.m", LARGE), ("never.txt", NEVER)):
        (folder / name).write_text(text, encoding="utf-8")
    for model, options, code, words in CASES:
        result = run(strata, folder, model, options)
        if result.returncode != code or words not in result.stdout + result.stderr:
            yield (f"strata check {model} {' '.join(options)}\n  exit code {result.returncode}, expected {code} and: {words}\n"
                   f"{result.stdout[-1500:]}{result.stderr}")
    yield from lasso_problems(strata, folder)
    yield from signal_problems(strata, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(problems(str(pathlib.Path(arguments.strata).resolve()), pathlib.Path(folder)))
    print("\n".join(f"FAILED {problem}" for problem in found))
    print(f"{len(CASES) + 2} cases, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
