#!/usr/bin/env python3
"""Times the translation of random LTL formulas, and compares the automata with those of `spin -f`.

Started by ./run, which builds strata. Exit code 1 when a translation fails, 0 otherwise: a missed target is a
result, not an error."""

import argparse
import datetime
import pathlib
import platform
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import time

import figures
import machine
import markdown
import models

PROPOSITIONS = "abcd"
UNARY = ["!", "<>", "[]"]
BINARY = ["&&", "||", "->", "U", "V"]
SIZES = [5, 10, 15, 20, 30]
SPIN_SIZES = [5, 10]  # above, spin takes minutes for some formulas
TARGET_SIZE, TARGET_MS = 20, 50


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/ltl/run", description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--short", action="store_true", help="100 formulas of each size (the default)")
    size.add_argument("--full", action="store_true", help="1000 formulas of each size")
    parser.add_argument("--seed", type=int, default=1, help="of the formulas (default %(default)s)")
    parser.add_argument("--strata", type=pathlib.Path, default=models.ROOT / "build/release/strata", help="the program")
    parser.add_argument("--time-limit", type=float, default=10,
                        help="seconds for one translation (default %(default)s)")
    parser.add_argument("--out", type=pathlib.Path, help="file for the report; default bench/results/ltl-DATE-ARCH.md")
    arguments = parser.parse_args()
    arguments.count = 1000 if arguments.full else 100
    return arguments


def formula(generator, operators, with_next):
    """A random formula, fully parenthesised; without X for spin, which does not have it."""
    if operators == 0:
        return generator.choice(PROPOSITIONS)
    if generator.random() < 0.4 or operators == 1:
        operator = generator.choice(UNARY + ["X"] * with_next)
        return f"{operator} ({formula(generator, operators - 1, with_next)})"
    left = generator.randrange(operators)
    operator = generator.choice(BINARY)
    first, second = (formula(generator, part, with_next) for part in (left, operators - 1 - left))
    return f"({first}) {operator} ({second})"


def translate(command, limit):
    """Seconds and standard output; None for the output if the time limit was reached."""
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return limit, None
    return time.perf_counter() - begin, done.stdout if done.returncode == 0 else ""


def strata_states(text):
    found = re.search(r"^States: (\d+)$", text, re.MULTILINE)
    return int(found.group(1)) if found else None


def spin_states(text):
    """A state of a never claim is a statement. accept_all counts only if something leads to it: SPIN writes it
    always."""
    reached = "goto accept_all" in text or "assert" in text
    return len(re.findall(r"^\t(?:do|if|false;)$", text, re.MULTILINE)) + reached


def milliseconds(seconds):
    return [f"{1000 * value:.1f}" for value in (statistics.median(seconds), sorted(seconds)[len(seconds) * 95 // 100],
                                                max(seconds))]


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.errors = []
        self.notes = []
        self.median = {}

    def run_strata(self, text):
        seconds, output = translate([self.arguments.strata, "ltl", text], self.arguments.time_limit)
        states = strata_states(output or "")
        if states is None:
            self.errors.append(f"strata ltl {shlex.quote(text)} " +
                               ("failed" if output == "" else "reached the time limit"))
        return seconds, states

    def times(self):
        rows = []
        for size in SIZES:
            for with_next in (False, True):
                generator = random.Random(f"{self.arguments.seed} {size} {with_next}")
                found = [self.run_strata(formula(generator, size, with_next)) for _ in range(self.arguments.count)]
                seconds, states = [one for one, _ in found], [one for _, one in found if one is not None]
                self.median[size, with_next] = 1000 * statistics.median(seconds)
                rows.append([f"{size}{', with X' if with_next else ''}", *milliseconds(seconds),
                             f"{statistics.mean(states):.1f}", str(max(states))])
        return markdown.table(["operators", "median ms", "95 % ms", "slowest ms", "states, mean", "largest"], rows)

    def beside_spin(self):
        rows = []
        for size in SPIN_SIZES:
            generator = random.Random(f"{self.arguments.seed} spin {size}")
            ours, spins, times, late = [], [], [], 0
            for _ in range(self.arguments.count):
                text = formula(generator, size, False)
                seconds, output = translate(["spin", "-f", text], self.arguments.time_limit)
                times.append(seconds)
                late += output is None
                if output:
                    spins.append(spin_states(output))
                    ours.append(self.run_strata(text)[1] or 0)
            larger = sum(one > other for one, other in zip(ours, spins))
            rows.append([str(size), *milliseconds(times), str(late), f"{statistics.mean(spins):.2f}",
                         f"{statistics.mean(ours):.2f}", str(larger)])
        return markdown.table(["operators", "spin: median ms", "95 % ms", "slowest ms", "not in time",
                               "spin's states, mean",
                               "strata's states, mean", "strata's larger"], rows)


def report(bench, arguments):
    this = shlex.join(["bench/ltl/run", *sys.argv[1:]])
    tools = {"strata": [arguments.strata, "--version"], "spin": ["spin", "-V"]}
    lines = ["# Translation of LTL formulas", "", f"- date: {datetime.date.today()}",
             *machine.describe(models.ROOT, tools),
             f"- this report: `{this}`",
             f"- {arguments.count} random formulas of each size, seed {arguments.seed}; times of the whole process, "
             "start-up included.", "", "## strata", "", bench.times(), ""]
    if shutil.which("spin"):
        lines += ["## spin -f, on formulas without X", "", bench.beside_spin(), ""]
    else:
        bench.notes.append("spin is not installed")
    lines += ["## Targets", ""]
    for with_next in (False, True):
        lines.append(figures.target(f"median for {TARGET_SIZE} operators {'with' if with_next else 'without'} X under "
                                    f"{TARGET_MS} ms", figures.Figure(bench.median[TARGET_SIZE, with_next]), 0,
                                    TARGET_MS))
    return lines + ["", "## Skipped", "", *([f"- {note}" for note in bench.notes] or ["Nothing."]), "", "## Errors", "",
                    *([f"- {error}" for error in bench.errors] or ["None."])]


def main():
    arguments = parse_arguments()
    if not arguments.strata.exists():
        print(f"{arguments.strata} does not exist", file=sys.stderr)
        return 1
    bench = Bench(arguments)
    text = "\n".join(report(bench, arguments)) + "\n"
    print(text, flush=True)
    size = "" if arguments.full else "short-"
    path = arguments.out or models.ROOT / "bench/results" / f"ltl-{size}{datetime.date.today()}-{platform.machine()}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(f"written to {path}", file=sys.stderr)
    return 1 if bench.errors else 0


if __name__ == "__main__":
    sys.exit(main())
