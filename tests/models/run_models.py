"""Runs models that state their expectation in their first lines.

    python3 run_models.py --strata PATH MODEL_OR_FOLDER...

A model starts with comment lines (`--`, in DVE `//`), of which these are read:
    -- expect: holds | invariant "NAME" | cover | deadlock | assertion | error | rejected | incomplete
    -- states: N        distinct states (of the whole state space, so with holds or cover only), without symmetry
    -- rules: N         rules fired, without symmetry
    -- orbits: N        distinct states with symmetry
    -- trace: N         length of the counterexample in rule firings, the failing one included
    -- args: ...        more arguments for `strata check`
    -- output: REGEX    found in the text output of the run (multi-line mode)
Each model runs with one and with two threads; both must give the identical counterexample. It also runs with folded
states. A model that must be
rejected must say where: file:line:column. A model with scalarsets runs without symmetry, and once more with it: the
answer
and the length of the counterexample must be the same, and the sizes of the orbits must add up to the number of states.
"""

import argparse
import os
import pathlib
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor

import strata_run

SUFFIXES = (".m", ".dve", ".mdve")
ANSWERS = ("holds", "invariant", "cover", "deadlock", "assertion", "error", "rejected", "incomplete")


class Expectation:
    """What the first lines of a model say."""

    def __init__(self, path):
        self.path = path
        self.answer = ""
        self.name = None
        self.states = self.rules = self.orbits = self.trace = self.output = None
        self.arguments = []
        text = path.read_text(encoding="utf-8", errors="replace")
        self.symmetric = re.search(r"\bscalarset\b", text, re.IGNORECASE) is not None
        for line in text.splitlines():
            line = line.lstrip("\ufeff")
            if not line.startswith(("--", "//")):
                break
            match = re.match(r"(?:--|//) (expect|states|rules|orbits|trace|args|output): (.*)$", line)
            if match:
                self.take(match.group(1), match.group(2).strip())

    def take(self, key, value):
        if key == "expect":
            self.answer, _, name = value.partition(" ")
            self.name = name.strip().strip('"') if name else None
        elif key == "args":
            self.arguments = shlex.split(value)
        elif key == "output":
            self.output = value
        else:
            setattr(self, key, int(value))

    def problem(self):
        """Why the expectation cannot be used, or an empty text."""
        if self.answer not in ANSWERS:
            return f"its first lines must say `-- expect: {' | '.join(ANSWERS)}`, not `{self.answer}`"
        return ""


class ModelTest:
    """One model: its runs and what is wrong with them."""

    def __init__(self, strata, path, timeout, memory=None):
        self.strata = strata
        self.expectation = Expectation(path)
        if memory and "--memory" not in self.expectation.arguments:
            self.expectation.arguments += ["--memory", memory]
        self.timeout = timeout
        self.failures = []
        self.last = None

    def run(self):
        problem = self.expectation.problem()
        if problem:
            self.failures.append(problem)
            return self
        runs = [self.run_once(threads) for threads in (1, 2)]
        first, second = (r.count("counterexample") for r in runs)
        if first != second:
            self.failures.append("one and two threads give different counterexamples")
        if self.expectation.symmetric and self.expectation.answer != "rejected":
            self.run_with_symmetry(runs[0])
        if self.expectation.answer != "rejected":
            self.run_folded(runs[0])
        if self.expectation.output and self.expectation.answer != "rejected":
            self.check_output()
        return self

    def run_folded(self, plain):
        """With folded states everything is the same, but for which of several shortest paths is shown."""
        expected = self.expectation
        symmetry = ["--symmetry", "off"] if expected.symmetric else []
        run = strata_run.check(self.strata, expected.path, ["--fold", "on", *symmetry, *expected.arguments],
                               self.timeout)
        self.last = run
        self.expect("with folding", "answer", run.answer(), plain.answer())
        self.expect("with folding", "length of the counterexample", run.length(), plain.length())
        for count in ("states", "transitions"):
            self.expect("with folding", count, run.count(count), plain.count(count))

    def run_with_symmetry(self, plain):
        expected = self.expectation
        runs = [strata_run.check(self.strata, expected.path, ["--threads", threads, *expected.arguments], self.timeout)
                for threads in ("1", "2")]
        for run in runs:
            self.last = run
            self.expect("with symmetry", "answer", run.answer(), plain.answer())
            self.expect("with symmetry", "length of the counterexample", run.length(), plain.length())
            symmetry = run.count("symmetry") or {}
            if "orbit_states" in symmetry:
                self.expect("with symmetry", "states of all orbits", symmetry["orbit_states"], plain.count("states"))
            if expected.orbits is not None:
                self.expect("with symmetry", "states", run.count("states"), expected.orbits)
        if runs[0].count("counterexample") != runs[1].count("counterexample"):
            self.failures.append("with symmetry: one and two threads give different counterexamples")

    def run_once(self, threads):
        expected = self.expectation
        plain = ["--symmetry", "off"] if expected.symmetric else []
        run = strata_run.check(self.strata, expected.path, ["--threads", str(threads), *plain, *expected.arguments],
                               self.timeout)
        self.last = run
        where = f"with {threads} thread{'s' if threads > 1 else ''}"
        self.expect(where, "answer", run.answer(), expected.answer)
        if run.answer() == "rejected":
            self.check_rejection(run)
            return run
        for what, found, wanted in (("states", run.count("states"), expected.states),
                                    ("rules fired", run.count("transitions"), expected.rules),
                                    ("length of the counterexample", run.length() or 0, expected.trace)):
            if wanted is not None:
                self.expect(where, what, found, wanted)
        if expected.name is not None and not any(expected.name in message for message in run.messages()):
            self.failures.append(f"{where}: no error names {expected.name}: {run.messages()}")
        return run

    def expect(self, where, what, found, wanted):
        if found != wanted:
            self.failures.append(f"{where}: {what} {found}, expected {wanted}")

    def check_rejection(self, run):
        if not re.search(re.escape(str(self.expectation.path)) + r":\d+:\d+: error: ", run.stderr):
            self.failures.append("rejected without a message at file:line:column")
        if self.expectation.output and not re.search(self.expectation.output, run.stderr, re.MULTILINE):
            self.failures.append(f"the message does not match {self.expectation.output}")

    def check_output(self):
        """The text output comes from a run of its own, without JSON."""
        command = [self.strata, "check", str(self.expectation.path), "--algorithm", "ram", "--threads", "1",
                   "--progress", "off", *self.expectation.arguments]
        run = strata_run.run(command, self.timeout, as_json=False)
        if not re.search(self.expectation.output, run.stdout + run.stderr, re.MULTILINE):
            self.last = run
            self.failures.append(f"the output does not match {self.expectation.output}")


def find_models(places):
    for place in map(pathlib.Path, places):
        if place.is_dir():
            yield from sorted(path for suffix in SUFFIXES for path in place.rglob("*" + suffix))
        else:
            yield place


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run")
    parser.add_argument("--memory", help="--memory of models that do not set it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("models", nargs="+", help="models, or folders with models")
    arguments = parser.parse_args()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        tests = list(pool.map(lambda path: ModelTest(arguments.strata, path, arguments.timeout, arguments.memory).run(),
                              find_models(arguments.models)))
    failed = [test for test in tests if test.failures]
    for test in failed:
        print(f"FAILED {test.expectation.path}")
        print("\n".join(f"  {failure}" for failure in test.failures))
        print(test.last.text() if test.last else "")
    print(f"{len(tests)} models, {len(failed)} failed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
