#!/usr/bin/env python3
"""Records the sizes of the levels of many models in levels.tsv, on which a unit test replays the forecast.

    python3 record.py --strata PATH [--seconds 10]

A line is a name, the number of all states, and the sizes of the levels. Models of ../shared/models and examples are
searched in RAM for so many seconds each, half an hour in all. Of a search that takes longer the levels so far are
recorded, without the last one, which was cut short, where BEEM's authors say how many states there are. Models with
an error, with fewer than 3,000 states or 8 levels are left out."""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXAMPLES = ROOT / "examples"
MODELS = ROOT.parent / "shared/models"
LEAST_STATES, LEAST_LEVELS = 3000, 8
# Constants of examples, and of classic models.
SIZES = {
    "peterson": [{"N": 4}, {"N": 5}],
    "msi": [{"ProcCount": p, "ValueCount": v} for p in (3, 4) for v in (1, 2, 3)] + [{"ProcCount": 5, "ValueCount": 1}],
    "sliding_window": [{"Window": w, "SeqSpace": s, "Capacity": c, "Period": p} for w, s, c, p in
                       ((2, 4, 3, 8), (2, 4, 3, 100), (2, 5, 4, 5), (3, 6, 3, 6), (3, 6, 4, 6), (3, 6, 4, 12),
                        (2, 4, 5, 8), (2, 4, 6, 8), (3, 7, 3, 7))],
    "file_transfer": [{"Capacity": 6, "Retries": 8, "Chunks": n} for n in (50, 300, 1000)],
    "assembly_line": [{"Stations": 5, "Capacity": 3, "Items": n} for n in (20, 100, 200)],
    "token_ring": [{"Nodes": 4, "Share": n // 10, "Slots": n} for n in (50, 200, 400)],
    "ring_election": [{"N": n} for n in (5, 6, 7)],
    "dining_ordered": [{"N": n} for n in (10, 12, 14)],
    "ring_buffer": [{"Size": n, "Items": n + 3} for n in (8, 12, 16)],
}
CLASSIC = {
    "n_peterson": [{"N": 5}, {"N": 6}], "mcslock1": [{"N": 4}], "mcslock2": [{"N": 3}],
    "cache3": [{"ProcCount": 4}, {"ProcCount": 5}, {"ProcCount": 4, "ValueCount": 4}],
    "list6": [{"CellCount": 5}], "ldash": [{"RemoteCount": 4}],
}


def name_of(path, constants, *more):
    return "_".join([path.stem, *(f"{name}{value}" for name, value in constants.items()), *more])


def cases():
    """For each model its name, file, arguments, and the number of states if it is known."""
    for name, sizes in SIZES.items():
        path = EXAMPLES / f"{name}.m"
        for constants in sizes:
            yield name_of(path, constants), path, definitions(constants) + ["--symmetry", "off"], None
    for path in sorted((MODELS / "murphi").rglob("*.m")):
        if "rumur-tests" not in path.parts:
            for symmetry in ("exact", "off"):
                yield "_".join([path.parent.name, path.stem, symmetry]), path, ["--symmetry", symmetry], None
    for name, sizes in CLASSIC.items():
        path = MODELS / f"murphi/classic/sym/{name}.m"
        for constants in sizes:
            for symmetry in ("exact", "off"):
                yield name_of(path, constants, symmetry), path, definitions(constants) + ["--symmetry", symmetry], None
    with open(MODELS / "beem/instances.tsv", encoding="utf-8") as table:
        known = {row["instance"]: int(row["states"]) for row in csv.DictReader(table, delimiter="\t")
                 if row["complete"] == "yes" and row["states"]}
    for path in sorted((MODELS / "beem").glob("*/*.dve")):
        if "prop" not in path.name:
            yield path.stem, path, [], known.get(path.stem)


def definitions(constants):
    return [word for name, value in constants.items() for word in ("-D", f"{name}={value}")]


def recorded(strata, seconds, path, arguments, known):
    """The number of states and the sizes of the levels; None if there is nothing to record."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([strata, "check", path, *arguments, "--deadlock", "off", "--algorithm", "ram", "--memory", "3G",
                        "--fold", "off", "--time-limit", str(seconds), "--trace", "off", "--progress", "off", "--json",
                        report],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    if found.get("verdict") == "holds":
        states, levels = found["states"], found["levels"]
    elif found.get("stop") in ("time", "memory") and (known or 0) >= found["states"]:
        states, levels = known, found["levels"][:-1]
    else:
        return None
    return (states, levels) if states >= LEAST_STATES and len(levels) >= LEAST_LEVELS else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strata", type=pathlib.Path, default=ROOT / "build/release/strata")
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    lines = {}
    for name, path, words, known in cases():
        found = recorded(arguments.strata, arguments.seconds, path, words, known) if path.exists() else None
        print(f"{name}: {len(found[1])} levels" if found else f"{name}: left out", file=sys.stderr, flush=True)
        # Another file with the same levels adds nothing.
        if found:
            lines.setdefault(" ".join(map(str, found[1])), f"{name}\t{found[0]}\t")
    (HERE / "levels.tsv").write_text("".join(f"{head}{levels}\n" for levels, head in lines.items()), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
