#!/usr/bin/env python3
"""Compares searches in RAM with folded states and with whole ones: bytes a state and time.

Started by ./run, which builds strata. Exit code 1 if the two disagree or one fails, 0 otherwise: a missed target is a
result, not an error.
"""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

import machine
import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = ROOT.parent / "shared" / "models"
LARGE = 128  # bytes a state, from which on folding should cost no time


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    path: pathlib.Path
    options: tuple = ()
    most_bytes: float = None  # a state, the target
    short: bool = False

    def most_time(self, state_bytes):
        return 1.0 if state_bytes >= LARGE else 1.25


def coherence(bound):
    return SHARED / "murphi" / "coherence" / "MU_FullSystem_3CC.m", ("--symmetry", "off", "--bound", str(bound))


CASES = [
    Case("shelves, 6 stations", ROOT / "tests" / "models" / "murphi" / "shelves.m", ("-D", "Stations=6"), short=True),
    Case("elevator2.3", SHARED / "beem" / "elevator2" / "elevator2.3.dve", most_bytes=8.0),
    Case("lamport.8", SHARED / "beem" / "lamport" / "lamport.8.dve", most_bytes=8.0),
    Case("iprotocol.5", SHARED / "beem" / "iprotocol" / "iprotocol.5.dve", most_bytes=8.5),
    Case("anderson.6", SHARED / "beem" / "anderson" / "anderson.6.dve", most_bytes=8.1),
    Case("peterson, N=5", ROOT / "examples" / "peterson.m", ("-D", "N=5"), most_bytes=10.5),
    Case("ldash, 4 remotes", SHARED / "murphi" / "classic" / "sym" / "ldash.m",
         ("-D", "RemoteCount=4", "--symmetry", "off"), most_bytes=20),
    Case("sci", SHARED / "murphi" / "classic" / "sci" / "sci.m", ("--symmetry", "off")),
    Case("MU_FullSystem_3CC, 12 levels", *coherence(12), short=True),
    Case("MU_FullSystem_3CC, 18 levels", *coherence(18), most_bytes=25),
]


def check(arguments, case, fold):
    """The report of one run."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([arguments.strata, "check", case.path, *case.options, "--algorithm", "ram", "--fold", fold,
                        "--threads",
                        str(arguments.threads), "--memory", arguments.memory, "--progress", "off", "--json", report],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return json.loads(report.read_text()) if report.exists() else None


def measure(arguments, case):
    """The best of some runs with and without folding, in turns."""
    best = {}
    for _ in range(arguments.repetitions):
        for fold in ("off", "on"):
            report = check(arguments, case, fold)
            if report is None:
                return None
            if fold not in best or report["seconds"]["search"] < best[fold]["seconds"]["search"]:
                best[fold] = report
    return best


def row(case, off, on):
    seconds = [report["seconds"]["search"] for report in (off, on)]
    size = [report["memory"]["peak_rss"] / report["states"] for report in (off, on)]
    ratio = seconds[1] / max(seconds[0], 1e-9)
    target = case.most_time(off["state_bytes"])
    missed = [f"time {target:.2f}"] if ratio > target else []
    missed += [f"{case.most_bytes:g} bytes"] if case.most_bytes and size[1] > case.most_bytes else []
    return [case.name, str(off["state_bytes"]), f"{off['states']:,}", f"{size[0]:.1f}", f"{size[1]:.1f}",
            f"{seconds[0]:.2f}",
            f"{seconds[1]:.2f}", f"{ratio:.2f}", ", ".join(missed) or "-"]


def main():
    parser = argparse.ArgumentParser(prog="bench/fold/run", description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="two models, half a minute")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="16G", help="default %(default)s")
    parser.add_argument("--repetitions", type=int, default=2)
    parser.add_argument("--strata", type=pathlib.Path, default=ROOT / "build/release/strata", help="the program")
    parser.add_argument("--out", type=pathlib.Path, help="write the report to this file too")
    arguments = parser.parse_args()
    rows, notes, wrong = [], [], []
    for case in CASES:
        if arguments.short and not case.short:
            continue
        if not case.path.exists():
            notes.append(f"{case.name}: {case.path.name} is absent")
            continue
        print(f"  {case.name}", file=sys.stderr, flush=True)
        best = measure(arguments, case)
        if best is None:
            wrong.append(f"{case.name}: a run failed")
            continue
        wrong += [f"{case.name}: {name} {best['off'][name]} and {best['on'][name]}"
                  for name in ("verdict", "states", "transitions")
                  if best["off"][name] != best["on"][name]]
        rows.append(row(case, best["off"], best["on"]))
    text = ["# Folded states beside whole ones", "",
            *machine.describe(ROOT, {"strata": [arguments.strata, "--version"]}), "",
            markdown.table(["model", "bytes", "states", "B/state whole", "folded", "s whole", "folded", "ratio",
                            "missed"], rows), ""]
    return markdown.publish(text, notes, wrong, arguments.out)


if __name__ == "__main__":
    sys.exit(main())
