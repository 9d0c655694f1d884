"""What the whole process takes, against --memory: every search, and the models that cost most beside the states.

    python3 budgets.py --strata PATH [--long] [--only TEXT] [--threads N]

A run may take --memory and 8 MiB more, its code, libraries and stacks included, as the system counts it
(ru_maxrss); or it refuses at the start and names the least that would do. Each line has the peak, by how much it
passed --memory, the time and the answer. With --only, the cases whose name has this text. Some runs are repeated in
a cgroup of --memory and 8 MiB; where the system does not allow one, this is said and left out."""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MIB = 1 << 20
SLACK = 8 * MIB
SECONDS = 120  # after which a run that has a time limit of its own is said not to end

PETERSON = (str(ROOT / "examples" / "peterson.m"), "-D", "N=5")
FORMULA = ("--ltl", 'G (F "pc[0] != Critical" || F "pc[1] != Critical")')

# 4096 states of 50 kB, which differ in twelve places.
WIDE = """
type Place: 0..49999; Bit: 0..11;
var a: array [Place] of 0..254;
startstate begin for i: Place do a[i] := 0; end; end;
ruleset b: Bit do
  rule a[b * 4000] = 0 ==> begin a[b * 4000] := 1; end;
  rule a[b * 4000] = 1 ==> begin a[b * 4000] := 0; end;
end;
"""
# States of 2963 bytes with LAST + 1 successors each.
SUCCESSORS = """
const Last: 13;
type Place: 0..2962;
var a: array [Place] of 0..254;
startstate begin for i: Place do a[i] := 0; end; end;
ruleset b: 0..Last do
  rule a[b * 10] = 0 ==> begin a[b * 10] := 1; end;
  rule a[b * 10] = 1 ==> begin a[b * 10] := 0; end;
end;
"""
# One state of 250 MB.
HUGE = """
var a: array [1..250000000] of 0..254;
startstate begin a[1] := 0; end;
rule a[1] = 0 ==> begin a[1] := 1; end;
"""
# STARTS start states, each with one successor among them.
STARTS = """
const Last: 9999999;
var x: 0..Last;
ruleset i: 0..Last do startstate begin x := i; end; end;
rule x > 0 ==> begin x := x / 2; end;
"""
# A single path, at whose end the invariant fails.
DEEP = """
const Last: 1000000;
var x: 0..Last;
startstate begin x := 0; end;
rule x < Last ==> begin x := x + 1; end;
invariant "not at the end" x < Last;
"""
# More than a hundred thousand states in which the invariant fails.
ERRORS = """
var x: 0..1048575;
startstate begin x := 1; end;
ruleset b: 0..1 do
  rule x < 524288 ==> begin x := 2 * x + b; end;
end;
invariant "small" x < 262144;
"""


def write_long_text(path, bytes_of_text):
    """A model whose text is so long: rules, each with a name and a few expressions, and a mistake at the end,
    because compiling so long a model takes minutes. What this program holds would count as the run's, so it is
    written line by line."""
    with open(path, "w", encoding="ascii") as out:
        size = out.write("var x: 0..99; y: 0..99;\nstartstate begin x := 0; y := 0; end;\n")
        number = 0
        while size < bytes_of_text:
            size += out.write(f'rule "step {number}" x = {number % 97} & (y + 1) % 100 < x ==> '
                              "begin x := (x + y) % 100; y := x; end;\n")
            number += 1
        out.write("rule z = 1 ==> begin z := 2; end;\n")


def reason_of(report):
    """The reason in a report, without reading all of it into memory: a process that is started counts the memory of the
    one that starts it."""
    with open(report, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            found = re.match(r'  "reason": (?:null|"(\w+)")', line)
            if found:
                return found[1]
    raise ValueError(f"{report} has no reason")


class Run:
    """One run: its peak in bytes, the exit code (None: it did not end), seconds, the last words of both outputs, and
    the reason in the report, if there is one."""

    def __init__(self, command, environment, group=None, report=None):
        with tempfile.TemporaryFile() as out:
            began = time.monotonic()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                       env=environment, preexec_fn=group.enter if group else None)
            self.exit_code, usage = self.wait(process, began + SECONDS)
            self.seconds = time.monotonic() - began
            self.peak = usage.ru_maxrss * 1024
            size = out.seek(0, os.SEEK_END)
            out.seek(max(0, size - 3000))
            self.text = out.read().decode("utf-8", "replace")
        has_report = report is not None and report.exists() and self.exit_code is not None and self.exit_code >= 0
        self.reason = reason_of(report) if has_report else None

    @staticmethod
    def wait(process, end):
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage
            if time.monotonic() > end:
                process.send_signal(signal.SIGKILL)
                usage = os.wait4(process.pid, 0)[2]
                process.returncode = -signal.SIGKILL
                return None, usage
            time.sleep(0.01)

    def refusal(self):
        """The --memory that a run asked for which refused to begin; None: it began. A model that does not fit has no
        report."""
        refused = self.exit_code == 152 and self.reason in (None, "memory_to_begin")
        return self.asked() if refused else None

    def asked(self):
        """The number is for people: only the message has it."""
        found = re.search(r"raise it to (\d+) MiB", self.text)
        return int(found[1]) if found else None


class Group:
    """A cgroup with a limit of memory; made where the system allows it."""

    def __init__(self, limit):
        self.folder = None
        for place, name, more in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
                                  ("/sys/fs/cgroup", "memory.max", "memory.swap.max")):
            folder = pathlib.Path(place) / f"strata-budgets-{os.getpid()}"
            try:
                folder.mkdir()
                self.folder = folder
                (folder / name).write_text(str(limit))
                if (folder / more).exists():
                    (folder / more).write_text("0" if "swap" in more else str(limit))
                return
            except OSError as error:
                self.why = str(error)
                self.remove()

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def remove(self):
        if self.folder is not None:
            try:
                self.folder.rmdir()
            except OSError:
                pass
        self.folder = None


class Budgets:
    """All cases, on one program and in one folder."""

    def __init__(self, arguments, folder):
        self.strata, self.only, self.folder = os.path.abspath(arguments.strata), arguments.only, pathlib.Path(folder)
        self.threads = arguments.threads
        self.environment = dict(os.environ, TMPDIR=str(self.folder))
        self.problems = []
        rows = json.loads(subprocess.run([self.strata, "algorithms", "--json", "-"], capture_output=True,
                                         check=True).stdout)["algorithms"]
        rows = [row for row in rows if not row["alias_of"] and not row["traits"]["on_device"]]
        self.searches = [row["name"] for row in rows if row["finds"] == "errors"]
        self.cycles = [row["name"] for row in rows if row["finds"] == "cycles"]
        self.warm = set()

    def model(self, name, text):
        path = self.folder / name
        if not path.exists():
            path.write_text(text)
        return (str(path),)

    def compile(self, model):
        """The compiler is a process of its own: it has run before anything is measured."""
        key = " ".join(model)
        if key not in self.warm:
            self.warm.add(key)
            subprocess.run([self.strata, "check", *model, "--memory", "4G", "--time-limit", "0.01", "--progress",
                            "off"],
                           capture_output=True, check=False, env=self.environment)

    def case(self, name, memory, model, *options, refuses=None, compiles=True):
        """`refuses`: whether the run has to refuse (True) or must not (False); else either will do."""
        if self.only and self.only not in name:
            return
        if compiles:
            self.compile(model)
        command = [self.strata, "check", *model, "--memory", f"{memory}M", "--progress", "off", *options]
        if "--threads" not in options:
            command += ["--threads", str(self.threads)]
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        run = Run([*command, "--json", str(report)], self.environment, report=report)
        refused = run.refusal()
        print(f"{name:44} {memory:5} MiB  peak {run.peak / MIB:7.1f}  {run.peak / MIB - memory:+8.1f}  "
              f"{run.seconds:6.1f} s  exit {run.exit_code}" + (f", asks for {refused} MiB" if refused else ""),
              flush=True)
        if run.peak > memory * MIB + SLACK:
            self.problem(f"{name}: {run.peak / MIB:.1f} MiB with --memory {memory}M", command, run)
        if run.exit_code is None or run.exit_code < 0:
            self.problem(f"{name}: did not end, or by a signal: {run.exit_code}", command, run)
        if run.exit_code in (151, 153):
            self.problem(f"{name}: exit code {run.exit_code}", command, run)
        if refuses is not None and refuses != (refused is not None):
            self.problem(f"{name}: " + ("began" if refuses else f"refused, and asked for {refused} MiB"), command, run)
        return run

    def problem(self, what, command, run):
        self.problems.append(f"{what}\n$ {' '.join(command)}\n{run.text[-1500:]}")

    # ---- the cases

    def ordinary(self, memory, seconds):
        """State spaces that are larger than the memory."""
        for algorithm in self.searches:
            self.case(f"peterson, {algorithm}", memory, PETERSON, "--algorithm", algorithm, "--time-limit", seconds)
        for algorithm in self.cycles:
            self.case(f"product, {algorithm}", memory, (*PETERSON, *FORMULA), "--algorithm", algorithm,
                      "--time-limit", seconds)

    def wide(self, memory, algorithms, seconds):
        model = self.model("wide.m", WIDE)
        for algorithm in algorithms:
            formula = ("--ltl", 'G F "a[0] >= 0"') if algorithm in self.cycles else ()
            self.case(f"states of 50 kB, {algorithm}", memory, (*model, *formula), "--algorithm", algorithm,
                      "--time-limit",
                      seconds)

    def successors(self, last, memory, algorithms):
        """A run that has no room for them says how much would do, and with so much it has."""
        model = (*self.model("successors.m", SUCCESSORS), "-D", f"Last={last}", "--fold", "off")
        for algorithm in algorithms:
            tries = memory
            while tries is not None:
                run = self.case(f"{last + 1} successors of 3 kB, {algorithm}", tries, model, "--algorithm", algorithm,
                                "--threads", "8", "--time-limit", "1")
                short = run is not None and run.reason in ("memory_for_successors", "memory_to_begin")
                asked = run.asked() if short else None
                if short and (asked is None or tries != memory):
                    self.problem(f"{last + 1} successors, {algorithm}: no figure, or one that does not do",
                                 [algorithm], run)
                tries = asked if asked and tries == memory else None

    def huge(self, algorithms):
        model = self.model("huge.m", HUGE)
        for algorithm in algorithms:
            self.case(f"a state of 250 MB, {algorithm}", 64, model, "--algorithm", algorithm, "--deadlock", "off",
                      refuses=True)

    def starts(self, last, memory, algorithms):
        model = (*self.model("starts.m", STARTS), "-D", f"Last={last}")
        for algorithm in algorithms:
            formula = ("--ltl", 'F G "x = 0"') if algorithm in self.cycles else ()
            self.case(f"{last + 1} start states, {algorithm}", memory, (*model, *formula), "--algorithm", algorithm,
                      "--deadlock", "off", "--time-limit", "10")

    def deep(self, last, memory, algorithms, *options):
        model = (*self.model("deep.m", DEEP), "-D", f"Last={last}")
        for algorithm in algorithms:
            formula = ("--ltl", f'F "x > {last}"') if algorithm in self.cycles else ()
            self.case(f"{last} steps, {algorithm} {' '.join(options)}", memory, (*model, *formula), "--algorithm",
                      algorithm, "--time-limit", "40", *options)

    def errors(self, count, memory, algorithms):
        model = self.model("errors.m", ERRORS)
        for algorithm in algorithms:
            self.case(f"{count} errors, {algorithm}", memory, model, "--algorithm", algorithm, "--max-errors",
                      str(count), "--deadlock", "off")

    def many_threads(self, threads, memories, algorithms):
        for memory in memories:
            for algorithm in algorithms:
                self.case(f"{threads} threads, {algorithm}", memory, PETERSON, "--algorithm", algorithm, "--threads",
                          str(threads), "--time-limit", "3")

    def text(self, megabytes, memory, refuses):
        path = self.folder / f"text{megabytes}.m"
        write_long_text(path, megabytes * 1000000)
        self.case(f"a text of {megabytes} MB", memory, (str(path),), refuses=refuses, compiles=False)
        path.unlink()

    def in_cgroup(self, memory, algorithms, seconds):
        """With a limit of --memory and 8 MiB, the system must not end the run."""
        if self.only and self.only not in "cgroup":
            return
        for algorithm in algorithms:
            self.compile(PETERSON)
            group = Group(memory * MIB + SLACK)
            if group.folder is None:
                print(f"cgroup: skipped, the system does not allow one: {group.why}")
                return
            command = [self.strata, "check", *PETERSON, "--memory", f"{memory}M", "--algorithm", algorithm, "--threads",
                       str(self.threads), "--time-limit", seconds, "--progress", "off"]
            run = Run(command, self.environment, group)
            group.remove()
            print(f"{'cgroup, ' + algorithm:44} {memory:5} MiB  peak {run.peak / MIB:7.1f}  {'':8}  "
                  f"{run.seconds:6.1f} s  "
                  f"exit {run.exit_code}", flush=True)
            if run.exit_code not in (0, 152):
                self.problem(f"cgroup, {algorithm}: exit code {run.exit_code}", command, run)

    def short(self):
        self.case("peterson, auto", 16, PETERSON, "--time-limit", "1")
        self.case("peterson, ram", 64, PETERSON, "--algorithm", "ram", "--time-limit", "2")
        self.case("product, owcty", 16, (*PETERSON, *FORMULA), "--algorithm", "owcty", "--time-limit", "1")
        self.wide(64, ["part"], "3")
        self.successors(13, 16, ["part", "cbf"])
        self.successors(280, 16, ["part"])
        self.starts(999999, 16, ["auto", "mono"])
        self.deep(100000, 16, ["ram"])
        self.errors(100000, 32, ["ram"])
        self.many_threads(1024, [128], ["ram"])
        self.text(2, 32, True)
        self.in_cgroup(16, ["auto"], "1")

    def all(self):
        everything = self.searches + self.cycles
        for memory, seconds in ((16, "4"), (32, "8"), (64, "20"), (128, "40")):
            self.ordinary(memory, seconds)
        self.wide(64, everything, "10")
        self.wide(256, ["part", "auto", "owcty", "semi"], "10")
        for memory in (16, 18, 20, 32):
            self.successors(13, memory, self.searches)
            self.successors(280, memory, self.searches)
        self.huge(self.searches)
        self.starts(9999999, 16, everything)
        self.starts(9999999, 128, ["auto", "ram", "part"])
        self.deep(1000000, 16, everything)
        # Here there is room for the path. One of a million steps takes serial longer to trace back than a run may
        # last here.
        self.deep(20000, 64, ["ram", "auto", "serial"])
        self.deep(20000, 64, ["auto"], "--json", str(self.folder / "deep.json"))
        self.deep(20000, 64, ["auto"], "--trace-file", str(self.folder / "deep.itf.json"))
        self.errors(100000, 64, self.searches)
        self.errors(100000, 16, ["ram", "part"])
        self.many_threads(1024, [16, 64, 256], ["ram", "auto", "part", "mono", "hddd"])
        self.text(24, 64, True)
        self.text(1, 128, False)
        self.in_cgroup(16, self.searches, "4")
        self.in_cgroup(128, self.searches, "4")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="strata-budgets-") as folder:
        idle = Run(["/bin/true"], None)
        program = Run([arguments.strata, "--version"], None)
        print(f"the least that can be measured: {idle.peak / MIB:.1f} MiB; strata --version: "
              f"{program.peak / MIB:.1f} MiB")
        budgets = Budgets(arguments, folder)
        (budgets.all if arguments.long else budgets.short)()
    for problem in budgets.problems:
        print(f"FAILED {problem}")
    print(f"{len(budgets.problems)} problem(s)")
    return 1 if budgets.problems else 0


if __name__ == "__main__":
    sys.exit(main())
