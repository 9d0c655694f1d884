#!/usr/bin/env python3
"""Compares `ndfs` with spin's `pan -a`: the same systems, the same automaton, one thread.

Started by ./run ndfs, which builds strata. Exit code 1 when counts disagree or a tool fails, 0 otherwise: a missed
target is a result, not an error."""

import argparse
import dataclasses
import datetime
import pathlib
import platform
import shlex
import sys
import tempfile

import machine
import markdown
import measure
import models
import spin
import strata

PROMELA = models.ROOT / "bench/peers/promela"
TARGET = 1.5


@dataclasses.dataclass
class Load:
    """A system in several languages, and a formula that holds, so that the whole product is searched.

    Each formula is about a location that a process passes a few times between two visits of another one. So many
    states are accepting and none is on an accepting cycle: the second search has work to do.
    """
    name: str  # promela/NAME.pml
    formula: str
    languages: dict  # {suffix of examples/NAME: {proposition: expression}}
    promela: dict  # {proposition: expression}
    full: dict
    quick: dict
    macros: dict  # constant -> macro of the Promela model
    states: dict  # {quick: upper bound}; sizes pan's hash table and depth-first stack


LOADS = [
    Load("peterson", "(G F raised && G F !raised) -> G F idled",
         {".m": {"raised": "pc[0] = Raise", "idled": "pc[0] = Idle"},
          ".dve": {"raised": "P(0).Raise", "idled": "P(0).Idle"}},
         {"raised": "Process[0]@raise", "idled": "Process[0]@idle"},
         {"N": 5}, {"N": 4}, {"N": "N"}, {True: 400_000, False: 30_000_000}),
    Load("sliding_window", "(G F middle && G F !middle) -> G F first",
         {".m": {"middle": "base = 5", "first": "base < 3"}}, {"middle": "base == 5", "first": "base < 3"},
         {"Window": 3, "SeqSpace": 6, "Capacity": 4}, {"Window": 3, "SeqSpace": 6, "Capacity": 3},
         {"Window": "WINDOW", "SeqSpace": "SEQ_SPACE", "Capacity": "CAPACITY"}, {True: 1_500_000, False: 15_000_000}),
]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/ltl/run ndfs", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller constants: seconds instead of ten minutes")
    parser.add_argument("--models", help="only these, for example peterson")
    parser.add_argument("--strata", type=pathlib.Path, default=models.ROOT / "build/release/strata", help="the program")
    parser.add_argument("--time-limit", type=float, default=1800, help="seconds for one run (default %(default)s)")
    parser.add_argument("--out", type=pathlib.Path,
                        help="file for the report; the default for a full run is bench/results/ndfs-DATE-ARCH.md, and "
                             "none for any other")
    arguments = parser.parse_args()
    names = [load.name for load in LOADS]
    arguments.models = arguments.models.split(",") if arguments.models else names
    unknown = sorted(set(arguments.models) - set(names))
    if unknown:
        parser.error(f"unknown model {', '.join(unknown)}; known are {', '.join(names)}")
    return arguments


def say(text):
    print(text, file=sys.stderr, flush=True)


@dataclasses.dataclass
class Side:
    tool: str
    states: int
    transitions: int  # as the tool counts them
    run: measure.Run

    def rate(self):
        return self.transitions / self.run.seconds

    def row(self, title, fastest):
        return [title, self.tool, f"{self.states:,}", f"{self.transitions:,}", f"{self.run.seconds:.2f}",
                f"{self.rate() / 1e6:.2f}", f"{self.run.peak_rss / self.states:.1f}",
                f"{fastest / self.run.seconds:.2f}"]


class Bench:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.strata = strata.Strata(arguments.strata, folder / "cache", arguments.time_limit)
        self.errors = []
        self.notes = []
        self.targets = []
        self.rows = []

    def fail(self, title, error):
        say(f"  error: {title}: {error}")
        self.errors.append(f"{title}: {measure.one_line(error)}")

    def measure(self):
        for load in LOADS:
            if load.name not in self.arguments.models:
                continue
            constants = load.quick if self.arguments.quick else load.full
            title = " ".join([load.name, *(f"{name}={value}" for name, value in constants.items())])
            try:
                self.compare(title, self.strata_sides(load, title, constants), self.spin_sides(load, title, constants))
            except measure.ToolError as error:
                self.fail(title, error)

    def strata_sides(self, load, title, constants):
        sides = []
        for suffix, atoms in load.languages.items():
            say(f"{title}: strata, {suffix} ...")
            model = models.ROOT / "examples" / f"{load.name}{suffix}"
            extra = ["--ltl", load.formula]
            extra += [word for name, text in atoms.items() for word in ("-p", f"{name}={text}")]
            result = self.strata.check_formula(model, constants, extra)
            sides.append(Side(f"strata, {suffix[1:]}", *result.counts, result.run))
        return sides

    def never_claim(self, load):
        negation = ["ltl", f"!({load.formula})", "--format", "never"]
        claim = measure.must_run([self.arguments.strata, *negation], "strata cannot translate the formula").output
        defines = "".join(f"#define {name} ({text})\n" for name, text in load.promela.items())
        return defines + claim

    def spin_sides(self, load, title, constants):
        folder = self.folder / load.name
        folder.mkdir()
        model = folder / "model.pml"
        model.write_text((PROMELA / f"{load.name}.pml").read_text() + self.never_claim(load))
        spin.generate(model, {load.macros[name]: value for name, value in constants.items()}, folder)
        sides = []
        for mode in spin.liveness_modes():
            say(f"{title}: pan -a, {mode.name} ...")
            result = spin.measure_mode(folder, mode, load.states[self.arguments.quick], self.arguments.time_limit)
            sides.append(Side(f"pan -a, {mode.name}", result.states, result.transitions, result.run))
        return sides

    def compare(self, title, ours, theirs):
        fastest = min(side.run.seconds for side in theirs)
        self.rows += [side.row(title, fastest) for side in ours + theirs]
        counts = {(side.states, side.transitions) for side in ours}
        # Partial-order reduction may omit states; without it the products must be the same.
        if len(counts) != 1 or theirs[0].states != ours[0].states:
            self.fail(title, "the counts differ: " + ", ".join(f"{side.tool} {side.states}" for side in ours + theirs))
        for side in ours:
            ratio = side.rate() / max(peer.rate() for peer in theirs)
            memory = side.run.peak_rss / side.states, min(peer.run.peak_rss / peer.states for peer in theirs)
            self.target(ratio >= TARGET, f"{title}, {side.tool}: {ratio:.2f} times the transitions a second of pan "
                                         f"(wanted: {TARGET})")
            self.target(memory[0] <= memory[1],
                        f"{title}, {side.tool}: {memory[0]:.1f} bytes a state, pan {memory[1]:.1f} (wanted: no more)")

    def target(self, passed, text):
        self.targets.append(f"- {'PASS' if passed else 'FAIL'}: {text}")


def report(bench, header):
    this = shlex.join(["bench/ltl/run", "ndfs", *sys.argv[1:]])
    formulas = [f"- {load.name}: `{load.formula}` with " + ", ".join(f"{name} = `{text}`"
                                                                     for name, text in load.promela.items())
                for load in LOADS if load.name in bench.arguments.models]
    lines = ["# ndfs beside pan -a", "", *header, f"- this report: `{this}`",
             f"- spin: `spin -a MODEL && gcc {' '.join(spin.LIVENESS_FLAGS)} [-DNOREDUCE] pan.c && ./pan -a -n -wBITS "
             "-mDEPTH`; the "
             "never claim is strata's automaton for the negated formula",
             "- strata: `strata check MODEL -D NAME=VALUE --algorithm ndfs --ltl FORMULA -p NAME=EXPR`", *formulas,
             *(["- each command was run under one that keeps other work away (`STRATA_BENCH_UNDER`)"] if measure.UNDER
               else []), "",
             "Time is the wall time of the whole process, the model compiled beforehand; memory the peak resident set. "
             "Transitions are those that the tool counts: pan those of the second search too, strata only those of the "
             "first. The products are the same; how much sooner a tool is done with them than the faster pan is in the "
             "last column.", ""]
    lines += [markdown.table(["model", "tool", "states", "transitions", "seconds", "M transitions/s", "bytes a state",
                              "pan's time by this"], bench.rows), ""]
    lines += ["## Targets", "", *bench.targets, "", "## Errors", "",
              *([f"- {error}" for error in bench.errors] or ["None."])]
    return "\n".join(lines) + "\n"


def main():
    arguments = parse_arguments()
    reason = spin.missing()
    if reason:
        print(f"{reason}: there is nothing to compare with", file=sys.stderr)
        return 1
    header = [f"- date: {datetime.date.today()}",
              *machine.describe(models.ROOT, {"strata": [arguments.strata, "--version"], "spin": ["spin", "-V"],
                                              "gcc": ["gcc", "--version"]})]
    with tempfile.TemporaryDirectory(prefix="strata-ndfs-") as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        bench.measure()
        text = report(bench, header)
    print(text)
    path = arguments.out
    if not path and not arguments.quick and len(arguments.models) == len(LOADS):
        path = models.ROOT / "bench/results" / f"ndfs-{datetime.date.today()}-{platform.machine()}.md"
    if path:
        path.write_text(text)
        say(f"written to {path}")
    return 1 if bench.errors else 0


if __name__ == "__main__":
    sys.exit(main())
