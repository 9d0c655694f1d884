"""Deep texts and large states on small stacks: an answer or a message, and never a crash.

    python3 stacks.py --strata PATH

Everything runs with a stack of 64 KiB (ulimit -s). A compiler may not: then the message says so, and the model is
compiled before."""

import argparse
import resource
import subprocess
import sys

import attack

SMALL = 64 << 10
HEAD = ("var x: 0..7; b: boolean; a: array [0..7] of 0..7;\n"
        "startstate begin x := 0; b := true; clear a; end;\nrule begin ")
DVE = "byte x; process P {{ state a; init a; trans a -> a {{ guard {}; }}; }} system async;\n"

# A text with something nested N deep, or as long.
MURPHI = {
    "not": lambda n: HEAD + "b := " + "!" * n + "b; end;",
    "parentheses": lambda n: HEAD + "x := " + "(" * n + "x" + ")" * n + "; end;",
    "conditions": lambda n: HEAD + "x := " + "b ? x : " * n + "x; end;",
    "indices": lambda n: HEAD + "x := " + "a[" * n + "x" + "]" * n + "; end;",
    "quantifiers": lambda n: HEAD + "b := " + "forall i: 0..0 do " * n + "b" + " end" * n + "; end;",
    "branches": lambda n: HEAD + "if b then " * n + "x := 1;" + " end;" * n + " end;",
    "elsif": lambda n: HEAD + "if b then x := 1; " + "elsif b then x := 2; " * n + " end; end;",
    "loops": lambda n: HEAD + "for i: 0..0 do " * n + "x := 1;" + " end;" * n + " end;",
    "records": lambda n: "var x: " + "record f: " * n + "boolean;" + " end;" * n + "startstate begin clear x; end;",
    "arrays": lambda n: "var x: " + "array [0..0] of " * n + "boolean; startstate begin clear x; end;",
    "rulesets": lambda n: "var x: boolean; startstate begin clear x; end; " + "ruleset i: 0..0 do " * n
                          + "rule begin end; " + "end; " * n,
    "sum": lambda n: HEAD + "x := x" + " + x" * n + "; end;",
    "statements": lambda n: HEAD + "x := 1; " * n + " end;",
}
DIVINE = {
    "not": lambda n: DVE.format("not " * n + "x"),
    "parentheses": lambda n: DVE.format("(" * n + "x" + ")" * n),
    "sum": lambda n: DVE.format("x" + " + x" * n),
    "imply": lambda n: DVE.format("x" + " imply x" * n),
}
FORMULAS = {
    "not": lambda n: "!" * n + "p",
    "next": lambda n: "X " * n + "p",
    "parentheses": lambda n: "(" * n + "p" + ")" * n,
    "until": lambda n: "(p U " * n + "q" + ")" * n,
    "and": lambda n: "p" + " && p" * n,
}
LARGE_STATE = """var a: array [0..5000000] of boolean; x: 0..3;
startstate begin clear a; x := 0; end;
rule "r" x < 3 ==> begin x := x + 1; a[x] := true; end;
"""


def on_small_stack(world, arguments, timeout=120):
    """Exit code and standard error of a run."""
    process = subprocess.run([world.strata, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, env=world.environment, timeout=timeout, check=False,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (SMALL, SMALL)))
    return process.returncode, process.stderr.decode("utf-8", "replace")


def deep_models(world):
    rows = [(f"{name}.m", text) for name, text in MURPHI.items()] + [(f"{name}.dve", text)
                                                                     for name, text in DIVINE.items()]
    for name, text in rows:
        for depth in (100, 990, 100_000):
            code, errors = on_small_stack(world, ["info", world.write(name, text(depth))])
            world.expect(code in (0, 150), f"{name}, {depth}: exit code {code}\n{errors[:1000]}")


def deep_formulas(world):
    for name, text in FORMULAS.items():
        for depth in (100, 990, 3000):
            # The automaton of a deep formula may be too large, which has its own exit code.
            code, errors = on_small_stack(world, ["ltl", text(depth)])
            world.expect(code in (0, 150, 152), f"{name}, {depth}: exit code {code}\n{errors[:1000]}")


def searches(world):
    """Threads have stacks of their own too, with room for a state."""
    peterson = attack.EXAMPLES / "peterson.m"
    large = world.write("large.m", LARGE_STATE)
    for model in (peterson, large):
        world.run(["check", model, "--bound", "0", "--memory", "1G"])
        code, errors = on_small_stack(world, ["check", model, "--deadlock", "off", "--threads", "3", "--memory", "4G",
                                              "--progress", "off"])
        world.expect(code == 0, f"{model.name}: exit code {code}\n{errors}")
    code, errors = on_small_stack(world, ["check", world.write("fresh.m", MURPHI["not"](900)), "--deadlock", "off"])
    world.expect(code == 0 or (code == 153 and "ulimit -s" in errors), f"compiling: exit code {code}\n{errors}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    arguments = parser.parse_args()
    return attack.in_world(arguments.strata, [("deep models", deep_models), ("deep formulas", deep_formulas),
                                              ("searches", searches)])


if __name__ == "__main__":
    sys.exit(main())
