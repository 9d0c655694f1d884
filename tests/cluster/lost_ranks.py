"""Searches whose ranks are killed, at random moments, and resumed.

    python3 lost_ranks.py --strata PATH [--mpirun NAME] [--count N] [--seed N]

One rank gets SIGKILL: all others end within seconds, one message names the rank, no process and no file is left but
the folder of --checkpoint; the run is resumed, mostly with another number of ranks, and killed again, until it
ends: with the counts of a run without kills. mpirun itself gets SIGTERM: the ranks make a checkpoint and say
how to go on."""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import ranks

MODEL = """const N: 140;
var a, b, c: 0..N; d: 0..3;
startstate begin a := 0; b := 0; c := 0; d := 0; end;
rule "a" a < N ==> begin a := a + 1; end;
rule "b" b < N ==> begin b := b + 1; end;
rule "c" c < N ==> begin c := c + 1; end;
rule "d" true ==> begin d := (d + 1) % 4; end;
"""
# In RAM, and with files from the start.
WAYS = (["--memory", "64M"], ["--memory", "40M", "--set", "ram=0"], ["--algorithm", "ram", "--memory", "128M"],
        ["--fold", "on", "--memory", "64M"])
SECONDS = 15.0  # until all ranks have ended


def children(process):
    """The ranks of mpirun, by rank."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = path.read_bytes().split(b"\0")
            group = os.getsid(int(path.parent.name))
        except (OSError, ValueError):
            continue
        for variable in variables:
            match = re.fullmatch(rb"(OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", variable)
            if match and group == process.pid:
                found[int(match[2])] = int(path.parent.name)
    return found


def left_behind(process):
    """Those that are still there when mpirun has been gone for some seconds: a process takes a moment to end on a
    busy machine."""
    deadline = time.monotonic() + 5
    while (left := children(process)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


class Attack:
    def __init__(self, options, folder, number):
        self.options, self.folder = options, folder
        self.random = random.Random(options.seed * 1000 + number)
        self.problems = []
        self.kills = self.resumed = self.regrouped = 0
        self.run = folder / "run"
        self.way = WAYS[number % len(WAYS)]
        self.count = 2 + number % 3
        self.model = folder / "cube.m"
        self.model.write_text(MODEL, encoding="utf-8")

    def expect(self, holds, what):
        if not holds:
            self.problems.append(f"{self.count} ranks, {' '.join(self.way)}: {what}")

    def check(self):
        return [self.options.strata, "check", self.model, "--deadlock", "off", "--threads", "1", "--progress", "off",
                *self.way]

    def command(self):
        if self.run.exists():
            self.resumed += 1
            before = self.count
            # One process takes long where it is on disk, with exact levels.
            self.count = self.random.randint(1 if "ram" in self.way else 2, 4)
            self.regrouped += self.count != before
            return [self.options.strata, "resume", self.run, "--progress", "off"]
        return [*self.check(), "--checkpoint", self.run, "--checkpoint-every", "0.2s", "--json",
                self.folder / "report.json"]

    def strike(self, after):
        """Kills one rank after some seconds; whether the run had ended before."""
        command = self.command()
        process = ranks.start(self.options.mpirun, self.count, command)
        begin = time.monotonic()
        while time.monotonic() < begin + after and process.poll() is None:
            time.sleep(0.01)
        found = children(process)
        victim = self.random.choice(sorted(found)) if found and process.poll() is None else None
        if victim is not None:
            try:
                os.kill(found[victim], signal.SIGKILL)
                self.kills += 1
            except ProcessLookupError:
                victim = None
        begin = time.monotonic()
        try:
            out, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.expect(False, "the run did not end after one rank was killed")
            return False
        took = time.monotonic() - begin
        ended = process.returncode == 0
        if victim is not None and not ended:
            self.expect(took < SECONDS, f"it took {took:.1f} s to end")
            # A rank that is lost while others make a checkpoint leaves them with the one before, which is a note.
            said = re.findall(r"^strata: (?!note: |stopping; )(.*)$", errors, re.MULTILINE)
            named = [line for line in said if line.startswith(f"rank {victim} (host ")]
            self.expect(len(named) <= 1 and len(said) <= 1, f"it said {said}")
        left = left_behind(process)
        self.expect(not left, f"processes are left: {left}")
        if not ended and victim is None:
            self.expect(False, f"exit code {process.returncode}: {out[-500:]}{errors[-500:]}")
        return ended

    def interrupt(self):
        """mpirun gets SIGTERM."""
        command = self.command()
        process = ranks.start(self.options.mpirun, self.count, command)
        time.sleep(self.random.uniform(0.5, 0.9))
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=60)
        left = left_behind(process)
        self.expect(not left, f"processes are left: {left}")
        if process.returncode != 0 and self.run.exists():
            self.expect(f"mpirun -n {self.count} strata resume {self.run}" in out or not out,
                        f"it does not say how to go on: {out}{errors}")

    def go(self):
        alone = [self.options.strata, "check", self.model, "--deadlock", "off", "--algorithm", "ram", "--json", "-"]
        expected = json.loads(subprocess.run(alone, capture_output=True, text=True, check=True).stdout)
        self.interrupt()
        ended = not self.run.exists()
        for _ in range(self.options.kills):
            if ended:
                break
            ended = self.strike(self.random.uniform(0.3, 1.2))
        for _ in range(3):
            if ended or self.problems:
                break
            ended = self.strike(100)
        self.expect(ended, "it never ended")
        if self.problems:
            return
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        for name in ("verdict", "states", "transitions", "depth", "levels", "coverage"):
            self.expect(report.get(name) == expected.get(name), f"{name} is {report.get(name)} instead of "
                                                                f"{expected.get(name)}")
        self.expect(not self.run.exists(), f"{self.run} is left: "
                                           f"{sorted(self.run.rglob('*')) if self.run.exists() else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", type=pathlib.Path, required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--count", type=int, default=4, help="runs")
    parser.add_argument("--kills", type=int, default=2, help="of each run, at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ranks.need_mpi(options.mpirun, options.strata, options.strata.parent / "libstrata_mpi.so")
    problems, kills, resumed, regrouped = [], 0, 0, 0
    for number in range(options.count):
        folder = pathlib.Path(tempfile.mkdtemp())
        attack = Attack(options, folder, number)
        attack.go()
        shutil.rmtree(folder, ignore_errors=True)
        problems += attack.problems
        kills += attack.kills
        resumed += attack.resumed
        regrouped += attack.regrouped
    for problem in problems:
        print(problem)
    if kills == 0:
        problems.append("no rank was killed: the runs ended before")
        print(problems[-1])
    print(f"{len(problems)} problem(s), {kills} kills in {options.count} runs, resumed {resumed} times, {regrouped} of "
          "them with other ranks")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
