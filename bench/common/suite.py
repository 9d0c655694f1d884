"""Runs of strata, each with a model, an algorithm, its parameters and a memory budget. Results are cached, so a run
that two tables need is measured once. The counts of all runs are checked."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import figures
import markdown
import measure
import models

MIB = 1 << 20
LEAST_MEMORY = 16 * MIB  # what strata asks for
LONG_RUN = 60  # seconds from which on one run is enough
HOLDS, VIOLATED, INCOMPLETE = 0, 13, 152
SECONDS_TO_FREE = 2e-9  # a byte, on a disk that is told of free blocks


def say(text):
    print(text, file=sys.stderr, flush=True)


@dataclasses.dataclass(frozen=True)
class Case:
    model: models.Model
    algorithm: str
    settings: tuple = ()  # of "name=value"
    memory: int = None  # bytes; None: strata's default

    def title(self):
        memory = f", {self.memory / MIB:.1f} MiB" if self.memory else ""
        return f"{self.model.title}: {' '.join([self.algorithm, *self.settings])}{memory}"


@dataclasses.dataclass
class Outcome:
    seconds: float
    report: dict  # what --json wrote, or None
    stop: str = None  # why it did not end: "time", "memory", ..., "failed", "wrong"

    @property
    def complete(self):
        return self.stop is None

    def time(self):
        if self.complete:
            return figures.Figure(self.seconds)
        return figures.Figure(self.seconds, ">") if self.stop == "time" else None

    def text(self, digits=1):
        """The seconds or the failure, for a table."""
        if self.complete:
            return f"{self.seconds:,.{digits}f}"
        words = {"time": f"> {self.seconds:,.0f}", "failed": "FAILED", "wrong": "WRONG RESULT"}
        return words.get(self.stop, f"incomplete ({self.stop})")

    def value(self, *path):
        value = self.report
        for name in path:
            value = value.get(name) if value is not None else None
        return value


class Suite:
    def __init__(self, arguments, yardstick="ram"):
        """The yardstick is the search in RAM to which the others are compared: `ram`, or for cycles `ndfs`."""
        self.arguments = arguments
        self.yardstick = yardstick
        self.errors = []
        self.notes = []
        self._outcomes = {}
        self._compiled = set()
        self._absent = set()
        self._rows = None  # of the table of algorithms, once they are known
        self._met = set()
        self._fixed = None
        self._settle = 0  # seconds

    # Which searches and models there are.

    def searches(self, wanted):
        """The searches that this strata has; the others are noted."""
        known = self._algorithms()
        for name in wanted:
            if name not in known:
                self.note(f"{name}: this strata does not have it")
        return [name for name in wanted if name in known and self.is_wanted(name)]

    def _algorithms(self):
        """The rows of `strata algorithms --json`, by name."""
        if self._rows is None:
            text = subprocess.run([self.arguments.strata, "algorithms", "--json", "-"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=True, text=True).stdout
            self._rows = {row["name"]: row for row in json.loads(text)["algorithms"]}
        return self._rows

    def present(self, candidates):
        """The candidates whose file exists and that the caller did not exclude."""
        return [model for model in candidates if self._wanted(model) and self._exists(model)]

    def _wanted(self, model):
        """Whether the caller chose the model by its name, or by the name of the instance of a property."""
        if not self.arguments.models:
            return True
        names = {model.name, model.name.split()[0]} & set(self.arguments.models)
        self._met |= names
        return bool(names)

    def unmet(self):
        """The names given by the caller that this suite does not have."""
        return sorted(set(self.arguments.models or []) - self._met)

    def _exists(self, model):
        path = model.file(self.arguments.models_dir)
        if not path.exists() and path not in self._absent:
            self._absent.add(path)
            self.note(f"{model.name}: {path} is absent")
        return path.exists()

    def is_wanted(self, algorithm):
        """Whether a search is to be measured; ram always is."""
        return not self.arguments.searches or algorithm in [self.yardstick, *self.arguments.searches]

    def note(self, text):
        say(f"  skipped: {text}")
        self.notes.append(text)

    # Memory.

    def fixed(self):
        """The bytes of the process that do not depend on the number of states."""
        if self._fixed is None:
            tiny = models.example("traffic_light", 0)
            self._fixed = self.first(Case(tiny, "ram")).value("memory", "peak_rss") or 6 * MIB
        return self._fixed

    def table_bytes(self, model):
        """The bytes that `ram` needs for the states of a model, from its first run; None if the run did not finish."""
        outcome = self.first(Case(model, self.yardstick))
        return max(outcome.report["memory"]["peak_rss"] - self.fixed(), 0) if outcome.complete else None

    def memory(self, model, fraction):
        table = self.table_bytes(model)
        if table is None:
            return None
        return max(LEAST_MEMORY, round((self.fixed() + fraction * table) / 4096) * 4096)

    def true_fraction(self, model, memory):
        """The share of ram's table that fits into a budget; it may exceed 1."""
        return (memory - self.fixed()) / max(self.table_bytes(model), 1)

    # Runs.

    def first(self, case):
        """The first run of a case, for results that do not depend on time."""
        self._measure_once(case, 0)
        return self._outcomes[case][0]

    def best(self, case):
        self.measure([case])
        ended = [one for one in self._outcomes[case] if one.complete]
        return min(ended or self._outcomes[case], key=lambda one: one.seconds)

    def measure(self, cases):
        """Measures in turns: all cases once, then the short ones again."""
        for repetition in range(self.arguments.repetitions):
            for case in cases:
                self._measure_once(case, repetition)

    def _measure_once(self, case, repetition):
        known = self._outcomes.setdefault(case, [])
        is_long = known and (not known[0].complete or known[0].seconds > LONG_RUN)
        if len(known) <= repetition and not is_long:
            known.append(self._run(case))

    def _command(self, case):
        model = case.model
        defines = [word for name, value in model.constants for word in ("-D", f"{name}={value}")]
        settings = [word for setting in case.settings for word in ("--set", setting)]
        memory = ["--memory", case.memory] if case.memory else []
        disks = [word for folder in self.arguments.disk for word in ("--disk", folder)]
        # The papers' searches and figures are about all states.
        symmetry = [] if str(model.file(self.arguments.models_dir)).endswith("dve") else ["--symmetry", "off"]
        return [self.arguments.strata, "check", model.file(self.arguments.models_dir), *defines, *model.options,
                "--algorithm",
                case.algorithm, *settings, *symmetry, *memory, *disks, "--threads", self.arguments.threads,
                "--progress", "off"]

    def _run(self, case):
        self._compile(case.model)
        limit = self.arguments.time_limit
        outcome = self._once(case, ["--time-limit", limit], limit + 120)
        self._check_counts(case, outcome)
        say(f"  {case.title()}: {outcome.text(2)} s{' (time limit)' if outcome.stop == 'time' else ''}")
        return outcome

    def _compile(self, model):
        """Explores one level, so that the model is compiled before it is measured."""
        if model not in self._compiled:
            self._compiled.add(model)
            self._once(Case(model, "ram"), ["--bound", "1"], 600)

    def _once(self, case, more, kill_after):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            # What an earlier run left to the disk, and its files, which are freed when it has ended, are not this
            # one's.
            time.sleep(self._settle)
            os.sync()
            run = measure.run([*self._command(case), *more, "--json", path], time_limit=kill_after)
            try:
                report = json.loads(path.read_text())
            except (OSError, ValueError):
                report = None
        self._settle = SECONDS_TO_FREE * report["disk"]["peak"] if report and "disk" in report else 0
        if run.exit_code in (HOLDS, VIOLATED) and report:
            return Outcome(run.seconds, report)
        if run.exit_code == INCOMPLETE and report:
            return Outcome(run.seconds, report, report["stop"])
        what = f"stopped after {kill_after:.0f} s" if run.exit_code is None else f"exit code {run.exit_code}"
        tail = " ".join(run.output.strip().splitlines()[-5:])
        self.error(f"{case.title()}: {what}: `{run.text()}` {measure.one_line(tail)}")
        return Outcome(run.seconds, None, "failed")

    # Counts.

    def _check_counts(self, case, outcome):
        if not outcome.complete:
            return
        if outcome.report["verdict"] != case.model.verdict:
            outcome.stop = "wrong"
            self.error(f"WRONG VERDICT: {case.title()}: {outcome.report['verdict']}")
        if case.model.verdict == "violated":
            return
        expected = {"states": case.model.states} if case.model.states else {}
        if case.algorithm != self.yardstick:
            expected.update(self._counts_of_ram(case))
        for name, count in expected.items():
            if outcome.report[name] != count:
                outcome.stop = "wrong"
                self.error(f"WRONG COUNT: {case.title()}: {outcome.report[name]:,} {name}, expected {count:,}")

    def _counts_of_ram(self, case):
        """Compares the counts that must be equal with those of `ram`, if `ram` was measured before."""
        known = self._outcomes.get(Case(case.model, self.yardstick))
        if not known or not known[0].complete:
            return {}
        return {name: known[0].report[name] for name in self._same_as_ram(case.algorithm)}

    def _same_as_ram(self, algorithm):
        """The counts that a search has in common with `ram`, by its traits. Searches for cycles have another
        yardstick."""
        traits = self._algorithms().get(algorithm, {}).get("traits", {})
        if traits.get("cycles", True):
            return ["states"]
        return ["states", *([] if traits["revisits"] else ["transitions"]),
                *(["depth"] if traits["exact_depth"] else [])]

    def error(self, text):
        say(f"  ERROR: {text}")
        self.errors.append(text)


def default_threads():
    return len(os.sched_getaffinity(0))


def memory_section(suite, loads, *fractions):
    """The memory that `ram` needs for each model, and the fractions of it that the searches on disk get."""
    header = ["model", "states", "state bytes", "depth", "ram MiB"]
    header += [f"{100 * one:.0f} %: MiB (true %)" for one in fractions]
    rows = []
    for model in loads:
        found = suite.first(Case(model, "ram")).report
        given = [suite.memory(model, fraction) for fraction in fractions]
        rows.append([model.title, f"{found['states']:,}", str(found["state_bytes"]), f"{found['depth']:,}",
                     f"{found['memory']['peak_rss'] / MIB:.0f}",
                     *(f"{one / MIB:.1f} ({100 * suite.true_fraction(model, one):.1f})" for one in given)])
    return ["## Models and memory", "", markdown.table(header, rows), "",
            f"The process itself takes {suite.fixed() / MIB:.1f} MiB (its peak on examples/traffic_light.m). What ram "
            "takes "
            "beyond that is its table. A fraction f of ram's memory is: `--memory` = the process + f of the table, and "
            "at least 16 MiB, the least that strata takes; the true fraction is in brackets.", ""]
