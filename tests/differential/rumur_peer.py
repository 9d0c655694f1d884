"""Runs the model checker rumur (Debian package `rumur`) on a model and reads its report.

Symmetry is off unless it is asked for, so that a scalarset is a plain range; values have 32 bits, since rumur's
default is the narrowest type that holds the model's own ranges and it then reports an overflow in 100 + 100. The
checker is compiled without optimisation: for small state spaces compiling is what takes the time."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from html import unescape

MAX_ERRORS = 1000
RUNTIME = re.compile(
    r"read of undefined value|write of out-of-range value|index out of range|overflow|division by zero|"
    r"modulus by zero|passed an out-of-range value|reached without returning|infinite loop due to|wider than the value")


@dataclass
class Outcome:
    """What rumur found: `problem` is set, and nothing else, when there is no answer."""

    problem: str = ""
    states: int = 0
    rules: int = 0
    errors: list = field(default_factory=list)  # of (class, length in rule firings, message)
    missed_covers: list = field(default_factory=list)
    text: str = ""

    def shortest(self):
        """(length, classes): the length of the shortest error, and the classes of all errors of that length."""
        least = min(length for _, length, _ in self.errors)
        return least, {kind for kind, length, _ in self.errors if length == least}

    def truncated(self):
        return len(self.errors) >= MAX_ERRORS


def installed():
    return shutil.which("rumur") is not None


def check(model, folder, deadlock="stuttering", timeout=120, options=(), symmetry="off"):
    """Generates, compiles and runs rumur's checker for a model, with its files in a folder.

    `symmetry` is off, heuristic or exhaustive, which tries all permutations of each state.
    """
    base = os.path.join(folder, f"{os.path.basename(model)}.{symmetry}.rumur")
    generate = ["rumur", "--quiet", "--value-type", "int32_t", "--symmetry-reduction", symmetry, "--threads", "1",
                "--deadlock-detection", deadlock, "--max-errors", str(MAX_ERRORS), "--output-format",
                "machine-readable", *options, "--output", base + ".c", str(model)]
    build = ["cc", "-O0", "-w", base + ".c", "-o", base, "-lpthread", "-latomic"]
    for command, what in ((generate, "rumur rejects the model"), (build, "rumur's C code does not compile"),
                          ([base], "rumur's checker")):
        try:
            process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
                                     check=False)
        except subprocess.TimeoutExpired:
            return Outcome(problem=f"{what}: did not end within {timeout} s")
        if process.returncode != 0 and command is not build and command is not generate:
            break  # the checker found an error: that is an answer
        if process.returncode != 0:
            return Outcome(problem=f"{what}: " + process.stderr.decode("utf-8", "replace")[:2000])
    remove(base, base + ".c")
    return parse(process.stdout.decode("utf-8", "replace"))


def remove(*paths):
    for path in paths:
        if os.path.exists(path):
            os.remove(path)


def parse(text):
    """Reads the report of a checker. Not an XML parser: a message may contain what XML forbids."""
    summary = re.search(r'<summary states="(\d+)" rules_fired="(\d+)" errors="(\d+)"', text)
    if not summary:
        return Outcome(problem="rumur's checker gave no summary: " + text[-500:])
    outcome = Outcome(states=int(summary.group(1)), rules=int(summary.group(2)), text=text[:3000])
    outcome.errors = read_errors(text)
    for message, count in re.findall(r'<cover_result message="(.*?)" count="(\d+)"', text, re.DOTALL):
        if count == "0":
            outcome.missed_covers.append(unescape(message))
    outcome.missed_covers = sorted(set(outcome.missed_covers))
    return outcome


def read_errors(text):
    """The errors of a report, without deadlocks that are none.

    A rule that ends in an error counts as not fired, so that after reporting it rumur goes on to call its state a
    deadlock where no other rule moves. Such a deadlock has the trace of the error but for the last step.
    """
    errors, before_error = [], set()
    for message, trace in re.findall(r"<message>(.*?)</message>(.*?)</error>", text, re.DOTALL):
        kind = classify(unescape(message))
        trace = trace.strip()
        if kind == "deadlock" and trace in before_error:
            continue
        if kind in ("error", "assertion"):
            before_error.add(trace[:max(trace.rfind("<transition>"), 0)].strip())
        errors.append((kind, max(trace.count("<transition>") - 1, 0), unescape(message)))
    return errors


def classify(message):
    """The class of an error, in the words of strata_run."""
    if message == "deadlock":
        return "deadlock"
    if re.fullmatch(r'invariant (".*"|\d+) failed', message, re.DOTALL):
        return "invariant"
    return "error" if RUNTIME.search(message) else "assertion"
