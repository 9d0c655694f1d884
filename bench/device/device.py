#!/usr/bin/env python3
"""Searches on a GPU beside `ram` on the processor, and beside Rumur where it is installed.

Started by ./run, which builds strata. Exit code 1 if counts differ or a run fails, 0 otherwise: a missed target is a
result, not an error.
"""

import argparse
import dataclasses
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import beyond
import machine
import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = ROOT.parent / "shared" / "models"
COUNTS = ("verdict", "states", "transitions", "depth", "levels")


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    path: str  # below the folder of models, or of examples
    states: int  # or orbits, where states are reduced by symmetry
    most_ms: float = None  # the target
    options: tuple = ()
    large: bool = False  # on the processor it takes minutes
    alone: bool = False  # larger still: not searched by the processor at all

    def file(self, folder):
        """In the tree of the models, or in a folder that has all of them side by side."""
        for place in (ROOT / self.path, folder / self.path, folder / pathlib.Path(self.path).name):
            if place.is_file():
                return place
        return None


NO_SYMMETRY = ("--symmetry", "off")
NO_DEADLOCK = ("--deadlock", "off")  # models of BEEM may have deadlocks, which do not matter here
CASES = (
    Case("anderson.6", "beem/anderson/anderson.6.dve", 18_206_917, 18, NO_DEADLOCK),
    Case("n_peterson N=6", "murphi/classic/sym/n_peterson.m", 17_704_917, 16, ("-D", "N=6", *NO_SYMMETRY)),
    Case("mcslock1 N=5", "murphi/classic/sym/mcslock1.m", 59_318_541, 42, ("-D", "N=5", *NO_SYMMETRY)),
    Case("lamport.8", "beem/lamport/lamport.8.dve", 62_669_317, 52, NO_DEADLOCK),
    Case("n_peterson N=7", "murphi/classic/sym/n_peterson.m", 511_615_338, 350, ("-D", "N=7", *NO_SYMMETRY), True),
    Case("iprotocol.5", "beem/iprotocol/iprotocol.5.dve", 31_071_582, 40, NO_DEADLOCK),
    Case("mcslock1 N=6, orbits", "murphi/classic/sym/mcslock1.m", 12_756_834, 60, ("-D", "N=6")),
    Case("mcslock1 N=7, orbits", "murphi/classic/sym/mcslock1.m", 370_201_566, 2500, ("-D", "N=7"), True),
    Case("n_peterson N=8, orbits", "murphi/classic/sym/n_peterson.m", 702_567, 6, ("-D", "N=8")),
    Case("n_peterson N=10, orbits", "murphi/classic/sym/n_peterson.m", 11_327_097, None, ("-D", "N=10")),
    Case("newlist6 CellCount=8, by symmetry", "murphi/classic/multiset+sym/newlist6.m", 80_105_091, 2000,
         ("-D", "CellCount=8"), True),
    Case("connection_pool 20/4", "examples/connection_pool.m", 6_496_976_896, None,
         ("-D", "Clients=20", "-D", "Connections=4", *NO_SYMMETRY), alone=True),
)


def check(arguments, case, path, more):
    """The report of one run; None: it failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run([arguments.strata, "check", path, *case.options, "--progress", "off", "--trace", "off",
                               "--json", report, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        result = json.loads(report.read_text()) if report.exists() else None
    if result is None or result.get("verdict") == "running":
        print(f"  {case.name}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return result


def on_device(arguments, case, path):
    """The runs on the device, with optimised kernels; the first one compiles them, unless an earlier run has."""
    more = ["--device", arguments.device, "--algorithm", "gpu", "--set", "patience=600"]
    runs = [check(arguments, case, path, more) for _ in range(arguments.repetitions)]
    return None if any(run is None or run["device"] is None for run in runs) else runs


def rumur_seconds(arguments, case, path):
    """Of Rumur with all threads; None: it is absent, refuses the model, or would search other orbits."""
    constants = [word for word in case.options if "=" in word]
    reduces = NO_SYMMETRY[0] not in case.options
    skipped = arguments.without_rumur or reduces or case.large or case.alone
    if skipped or path.suffix != ".m" or shutil.which("rumur") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        text = path.read_text()
        for constant in constants:
            name, value = constant.split("=")
            text = re.sub(rf"\b{name}\s*:\s*\d+", f"{name}: {value}", text, count=1)
        model, checker = pathlib.Path(folder) / "model.m", pathlib.Path(folder) / "model"
        model.write_text(text)
        made = subprocess.run(f"rumur --symmetry-reduction off --threads {arguments.threads} --output {checker}.c "
                              f"{model} && gcc -O3 -march=native -o {checker} {checker}.c -lpthread",
                              shell=True, capture_output=True, check=False)
        if made.returncode != 0:
            return None
        begin = time.perf_counter()
        subprocess.run([checker], capture_output=True, check=False)
        return time.perf_counter() - begin


def milliseconds(report):
    return report["seconds"]["search"] * 1000


def row(case, runs, cpu, rumur):
    times = [milliseconds(run) for run in runs]
    median, last = statistics.median(times), runs[-1]
    device = last["device"]
    return [case.name, f"{last['states']:,}", f"{case.most_ms:g}" if case.most_ms else "-", f"{median:.1f}",
            f"{min(times):.1f}", "-" if case.most_ms is None else "reached" if median <= case.most_ms else "MISSED",
            f"{last['states'] / median / 1e6:.2f}", f"{last['transitions'] / median / 1e6:.2f}",
            f"{milliseconds(cpu):,.0f}" if cpu else "-", f"{milliseconds(cpu) / median:.0f}" if cpu else "-",
            f"{rumur:.1f}" if rumur else "-", f"{runs[0]['device']['compile_seconds']:.2f}",
            f"{device['registers']}/{device['local_bytes']}", f"{device['memory']['used'] / last['states']:.1f}"]


HEADER = ["model", "states", "at most, ms", "ms, median", "best", "", "G states/s", "G rules/s", "ram, ms", "times",
          "rumur, s", "compile, s", "registers/local", "device B/state"]


def measure(arguments, cases):
    rows, notes, wrong = [], [], []
    for case in cases:
        path = case.file(arguments.models_dir)
        if path is None:
            notes.append(f"{case.name}: {case.path} is absent")
            continue
        print(f"  {case.name}", file=sys.stderr, flush=True)
        runs = on_device(arguments, case, path)
        if runs is None:
            wrong.append(f"{case.name}: a run failed, or did not use the device")
            continue
        cpu = None
        if arguments.beside and not case.alone and not (case.large and arguments.short):
            cpu = check(arguments, case, path, ["--algorithm", "ram", "--threads", str(arguments.threads)])
        for name in COUNTS:
            if cpu and any(run[name] != cpu[name] for run in runs):
                wrong.append(f"{case.name}: {name} {str(runs[0][name])[:200]}, with ram {str(cpu[name])[:200]}")
        if any(run["states"] != case.states for run in runs):
            wrong.append(f"{case.name}: {runs[0]['states']:,} states instead of {case.states:,}")
        rows.append(row(case, runs, cpu, rumur_seconds(arguments, case, path)))
    return rows, notes, wrong


def main():
    parser = argparse.ArgumentParser(prog="bench/device/run", description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="auto", help="as for strata check; default %(default)s")
    parser.add_argument("--models-dir", type=pathlib.Path, default=SHARED, help="where the models are, side by side")
    parser.add_argument("--models", default="", help="only those whose names have one of these words: anderson,lamport")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--threads", type=int, default=16, help="of ram and rumur; default %(default)s")
    parser.add_argument("--short", action="store_true", help="without ram on the largest models")
    parser.add_argument("--without-ram", dest="beside", action="store_false")
    parser.add_argument("--without-rumur", action="store_true")
    parser.add_argument("--beyond", action="store_true",
                        help="instead: searches with a share of the memory of the device that they need")
    parser.add_argument("--share", type=float, default=0.05, help="with --beyond: this share; default %(default)s")
    parser.add_argument("--host-memory", help="with --beyond: also with this --memory, so that states are on disk")
    parser.add_argument("--strata", type=pathlib.Path, default=ROOT / "build/release/strata", help="the program")
    parser.add_argument("--out", type=pathlib.Path, help="write the report to this file too")
    arguments = parser.parse_args()
    words = [word for word in arguments.models.split(",") if word]
    if arguments.beyond and not words:
        words = beyond.MODELS
    cases = [case for case in CASES if not words or any(word in case.name for word in words)]
    rows, notes, wrong = beyond.measure(check, arguments, cases) if arguments.beyond else measure(arguments, cases)
    devices = subprocess.run([arguments.strata, "info", "--devices"], capture_output=True, text=True, check=False)
    text = ["# Searches on a GPU", "",
            *machine.describe(ROOT, {"strata": [arguments.strata, "--version"]}),
            *(f"- device {line}" for line in devices.stdout.splitlines()[:-1]),
            f"- search times: the median of {arguments.repetitions} runs; all checks on", "",
            markdown.table(beyond.HEADER if arguments.beyond else HEADER, rows), ""]
    return markdown.publish(text, notes, wrong, arguments.out)


if __name__ == "__main__":
    sys.exit(main())
