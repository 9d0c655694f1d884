"""Runs Strata for the tests and tells its answer in one word; the contract is the command line and JSON of the manual.

The words are those of the expectations in test models: holds, invariant, cover, deadlock, assertion, error, liveness,
rejected, usage, incomplete, and `broken` for anything but an answer (a signal, a time-out, no JSON).
"""

import json
import subprocess
from dataclasses import dataclass

EXIT_CODES = {0: "holds", 11: "deadlock", 12: "invariant", 13: "liveness", 14: "assertion", 75: "error",
              150: "rejected", 151: "usage", 152: "incomplete"}
VERDICTS = {"holds": "holds", "deadlock": "deadlock", "invariant": "violated", "liveness": "violated",
            "assertion": "assertion", "error": "error", "incomplete": "incomplete"}


@dataclass
class Run:
    """One run of Strata: the exit code (None: it did not end in time), the JSON object, both outputs."""

    command: list
    exit_code: int = None
    report: dict = None
    stdout: str = ""
    stderr: str = ""

    def answer(self):
        """The answer in one word."""
        word = EXIT_CODES.get(self.exit_code, "broken")
        if word in VERDICTS and (self.report is None or self.report.get("verdict") != VERDICTS[word]):
            return "broken"
        if word in VERDICTS and not self.coverage_adds_up():
            return "broken"
        if word == "invariant" and not self.counterexample() and self.missed_covers():
            return "cover"
        return word

    def coverage_adds_up(self):
        """Every transition is one of a rule; a report without a search has none."""
        if "transitions" not in self.report:
            return True
        rules = self.report["coverage"]["rules"]
        return sum(rule["fired"] for rule in rules) == self.report["transitions"] and \
            all((rule["states"] > 0) == (rule["fired"] > 0) and rule["states"] <= rule["fired"] for rule in rules)

    def count(self, name):
        return (self.report or {}).get(name)

    def counterexample(self):
        """The counterexample if there is a path to show, else None."""
        found = (self.report or {}).get("counterexample")
        return found if found and found.get("steps") else None

    def length(self):
        """The number of rule firings of the counterexample, the failing one included."""
        found = self.counterexample()
        return found["length"] if found else None

    def missed_covers(self):
        return sorted({c["name"] for c in (self.report or {}).get("covers", []) if c.get("hit") is False})

    def messages(self):
        return [error.get("message", "") for error in (self.report or {}).get("errors", [])]

    def text(self):
        """All that the run said, for a test's report."""
        return "$ {}\nexit {}\n{}{}".format(" ".join(self.command), self.exit_code, self.stderr[-4000:],
                                            self.stdout[-4000:])


def run(command, timeout=120, environment=None, as_json=True):
    """Runs a command of Strata. With as_json its standard output must be one JSON object."""
    outcome = Run(command)
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
                                 env=environment, check=False)
    except subprocess.TimeoutExpired:
        outcome.stderr = f"did not end within {timeout} s\n"
        return outcome
    outcome.exit_code = process.returncode
    outcome.stdout = process.stdout.decode("utf-8", "replace")
    outcome.stderr = process.stderr.decode("utf-8", "replace")
    if as_json:
        try:
            outcome.report = json.loads(outcome.stdout)
        except ValueError:
            outcome.report = None
    return outcome


def algorithms(strata, finds):
    """The rows of `strata algorithms --json` that find "errors" or "cycles", without those that are another row's
    name or need a device."""
    text = subprocess.run([strata, "algorithms", "--json", "-"], capture_output=True, check=True, text=True).stdout
    return [row for row in json.loads(text)["algorithms"]
            if row["finds"] == finds and not row["alias_of"] and not row["traits"]["on_device"]]


def check(strata, model, options=(), timeout=120, environment=None, algorithm="ram"):
    """`strata check` with JSON on standard output."""
    command = [strata, "check", str(model), "--algorithm", algorithm, "--json", "-", "--progress", "off", *options]
    return run(command, timeout, environment)


class Suite:
    """Runs over the models of a folder, and how many failed."""

    def __init__(self, strata, folder, timeout):
        self.strata = strata
        self.folder = folder
        self.timeout = timeout
        self.failed = 0
        self.count = 0

    def fail(self, what, text, run):
        self.failed += 1
        print(f"FAILED {what}: {text}\n{run.text()}")
