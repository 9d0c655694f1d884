"""Runs DiVinE's small DVE models: states, transitions and deadlocks must be what DiVinE says.

    python3 run_dve_small.py --strata PATH [--dir DIR]

Exit code 77: the folder is not there.
"""

import argparse
import pathlib
import sys

import strata_run

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_DIR = HERE.parents[2] / "shared" / "models" / "dve-small"

# Model, options, states, transitions, deadlocks. With --max-errors the search goes on behind a deadlock.
STUCK = ["--deadlock", "stuck"]
EXPECTED = [
    ("test1", STUCK, 7, 14, 0), ("test1-prop", STUCK, 7, 14, 0), ("test2", STUCK, 3, 2, 2), ("test3", STUCK, 6, 12, 0),
    ("test4", STUCK, 5, 5, 0), ("test5", STUCK, 5, 5, 0), ("test6", STUCK, 6, 6, 0), ("haoEEDM", [], 502, 922, 0),
    ("assert2", [], 6, 6, 0), ("B.prop1", ["--property", "none"], 24, 32, 8), ("B.prop1", STUCK, 14, 18, 4),
    ("input", [], 6, 5, 1), ("vararray", [], 11, 10, 1), ("proc_instance", [], 16, 64, 0),
    ("proc_instance2", [], 32, 96, 0), ("proc_instance3", [], 48, 144, 0), ("proc_instance4", [], 48, 144, 0),
    ("empty", [], 1, 0, 1)]
ANSWERS = {"assert": "assertion", "assert2": "holds", "empty": "deadlock"}
# Cycles, and the states and transitions of products without one.
LTL = [
    ("test1", [], "liveness", None), ("test1-prop", [], "liveness", None), ("test2", [], "holds", (3, 2)),
    ("test3", [], "holds", (6, 12)), ("test4", [], "liveness", None), ("test5", [], "liveness", None),
    ("test6", [], "liveness", None), ("ltltest1", ["--property", "Pltl"], "holds", (1, 0)),
    ("ltltest2", ["--property", "Pltl"], "liveness", None), ("peterson", ["--property", "1"], "holds", None),
    ("peterson", ["--property", "2"], "liveness", None), ("peterson", ["--property", "3"], "holds", None)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--dir", default=str(DEFAULT_DIR))
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.dir)
    if not folder.is_dir():
        print(f"skipped: {folder} is not there")
        return 77
    problems = []
    for name, options, states, transitions, deadlocks in EXPECTED:
        run = strata_run.check(arguments.strata, folder / f"{name}.dve",
                               [*options, "--max-errors", "1000", "--trace", "off"])
        actual = (run.count("states"), run.count("transitions"), len((run.report or {}).get("errors", [])))
        if actual != (states, transitions, deadlocks):
            problems.append(f"{name} {options}: {actual}, expected {(states, transitions, deadlocks)}\n{run.text()}")
    for name, answer in ANSWERS.items():
        run = strata_run.check(arguments.strata, folder / f"{name}.dve")
        if run.answer() != answer:
            problems.append(f"{name}: {run.answer()}, expected {answer}\n{run.text()}")
    for name, options, answer, counts in LTL:
        run = strata_run.check(arguments.strata, folder / f"{name}.dve", options, algorithm="auto")
        wrong_counts = counts and (run.count("states"), run.count("transitions")) != counts
        if run.answer() != answer or wrong_counts:
            problems.append(f"{name} {options}: {run.answer()}, expected {answer} {counts}\n{run.text()}")
    # The others have no figures, but they must be accepted.
    others = sorted(folder.glob("*.dve"))
    for path in others:
        run = strata_run.run([arguments.strata, "info", str(path)], as_json=False)
        if run.exit_code != 0:
            problems.append(f"{path.name} is refused\n{run.text()}")
    print("\n".join(f"FAILED {problem}" for problem in problems))
    print(f"{len(EXPECTED) + len(ANSWERS) + len(LTL) + len(others)} runs, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
