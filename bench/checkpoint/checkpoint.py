#!/usr/bin/env python3
"""The cost of checkpoints: searches with and without them, a search that is killed repeatedly, and the time to resume.

Started by ./run, which builds strata. Exit code 1 when a run fails or gives another answer, 0 otherwise: a missed
target is a result, not an error.
"""

import argparse
import dataclasses
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import machine
import markdown
import models

KILLS = 10
KILLED, RESUMED = 1.15, 30.0  # times the run that nobody kills; seconds until a resumed run expands


@dataclasses.dataclass
class Search:
    title: str
    options: list
    most: float  # times the same without checkpoints, with one each minute


def searches(short):
    share = "24M" if short else "96M"
    disk = "32M" if short else "256M"
    return [Search("ram", ["--algorithm", "ram", "--memory", "6G"], 1.10),
            Search(f"auto, {share}", ["--memory", share], 1.03),
            Search(f"hddd, {disk}", ["--algorithm", "hddd", "--memory", disk], 1.03)]


class Runs:
    """One model, searched with and without checkpoints."""

    def __init__(self, arguments, model, folder):
        self.arguments, self.model = arguments, model
        self.folder, self.report = folder / "run", folder / "report.json"
        self.wrong = []

    def command(self, options):
        constants = [part for name, value in self.model.constants for part in ("-D", f"{name}={value}")]
        return [self.arguments.strata, "check", self.model.file(models.CLASSIC), *constants, "--threads",
                str(self.arguments.threads), "--progress", "off", "--json", self.report, *options]

    def kept(self, every):
        shutil.rmtree(self.folder, ignore_errors=True)
        return ["--checkpoint", self.folder, "--checkpoint-every", every]

    def run(self, command):
        """Seconds and report of a complete run."""
        self.report.unlink(missing_ok=True)
        begin = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        seconds = time.monotonic() - begin
        if done.returncode != 0 or not self.report.exists():
            self.wrong.append(f"exit code {done.returncode}: {' '.join(map(str, command))}: {done.stderr.strip()}")
            return seconds, None
        report = json.loads(self.report.read_text())
        if report["states"] != self.model.states:
            self.wrong.append(f"{report['states']:,} states instead of {self.model.states:,}")
        return seconds, report

    def killed(self, options, seconds, every):
        """The time of a run that is killed at random moments, at equal distances on average."""
        choose, spent = random.Random(1), 0.0
        command = self.command([*options, *self.kept(every)])
        for _ in range(KILLS):
            begin = time.monotonic()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(choose.uniform(0.5, 1.5) * seconds / KILLS)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            spent += time.monotonic() - begin
            command = [self.arguments.strata, "resume", self.folder, "--progress", "off"]
            if not self.folder.exists():
                break
        last, report = self.run(command)
        return spent + last, report

    def until_expanding(self, options, seconds):
        """Seconds until a run that was stopped after nine tenths of its time expands states again; and its states."""
        subprocess.run(self.command([*options, *self.kept("1000s"), "--time-limit", str(0.9 * seconds)]),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        # The time limit of a resumed run starts with its first expansion.
        resume = [self.arguments.strata, "resume", self.folder, "--progress", "off", "--time-limit", "0.001"]
        begin = time.monotonic()
        subprocess.run(resume, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        took = time.monotonic() - begin
        states = json.loads(self.report.read_text())["states"]
        shutil.rmtree(self.folder, ignore_errors=True)
        return took, states


def measure(runs, search, every):
    """The rows for one search in both tables."""
    before, _ = runs.run(runs.command(search.options))
    with_them, report = runs.run(runs.command([*search.options, *runs.kept(every)]))
    after, _ = runs.run(runs.command(search.options))
    without = min(before, after)
    killed, answer = runs.killed(search.options, without, "1s")
    until, states = runs.until_expanding(search.options, without)
    made = report["checkpoint"]["made"] if report else 0
    resumed = answer["resumed"] if answer else 0
    return ([search.title, f"{without:.1f}", f"{with_them:.1f}", str(made), f"{with_them / without:.3f}",
             f"{search.most:.2f}"],
            [search.title, f"{killed:.1f}", f"{killed / without:.2f}", f"{KILLED:.2f}", str(resumed), f"{states:,}",
             f"{until:.1f}",
             f"{RESUMED:.0f}"])


def main():
    parser = argparse.ArgumentParser(prog="bench/checkpoint/run", description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="a small model, half a minute")
    parser.add_argument("--every", help="time between checkpoints (default: 10s; short: 0.5s)")
    parser.add_argument("--only", default="", help="searches whose names begin so")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--strata", type=pathlib.Path, default=models.ROOT / "build/release/strata", help="the program")
    parser.add_argument("--folder", default="/var/tmp", help="where the runs are kept")
    parser.add_argument("--out", type=pathlib.Path, help="write the report to this file, too")
    arguments = parser.parse_args()
    model = models.WINDOW_4 if arguments.short else models.WINDOW_8
    every = arguments.every or ("0.5s" if arguments.short else "10s")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        runs = Runs(arguments, model, pathlib.Path(folder))
        rows = [measure(runs, search, every) for search in searches(arguments.short)
                if search.title.startswith(arguments.only)]
    lines = ["# What checkpoints cost", "", *machine.describe(models.ROOT, {"strata": [arguments.strata, "--version"]}),
             "",
             f"{model.title}, {model.states:,} states, {arguments.threads} threads, a checkpoint every {every} (the "
             "targets are for one each minute); times of whole processes in seconds.", "",
             markdown.table(["search", "without", "with", "made", "ratio", "target"], [row[0] for row in rows]), "",
             f"Killed {KILLS} times at random moments, with a checkpoint each second, and resumed; and how long a run "
             "of nine tenths of the states takes to expand again.", "",
             markdown.table(["search", "killed", "ratio", "target", "resumed", "states", "expands after", "target"],
                            [row[1] for row in rows]), ""]
    return markdown.publish(lines, [], runs.wrong, arguments.out)


if __name__ == "__main__":
    sys.exit(main())
