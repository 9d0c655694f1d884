"""Every search for accepting cycles on BEEM's models with property processes, with little memory: the answer must
be that of ndfs in RAM, and so must the number of states where the property holds.

python3 algorithms_on_products.py --strata PATH [--dir DIR] [--states N] [--memory SIZE] [--algorithms A,B]
[INSTANCE...]

Products with at most --states states are run, with the searches that `strata algorithms --json` lists. The process
must stay within its memory and 8 MiB. `minimal` has a time limit, at which it shows the lasso it has. Exit code 77:
the folder is not there."""

import argparse
import csv
import pathlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "models"))
import strata_run  # noqa: E402

DEFAULT_DIR = ROOT.parent / "shared" / "models" / "beem"
YARDSTICK = "ndfs"
TIME_LIMITS = {"minimal": 300}  # seconds
MIB = 1 << 20


def cycle_searches(strata):
    """The names of all but the yardstick."""
    return [row["name"] for row in strata_run.algorithms(strata, "cycles") if row["name"] != YARDSTICK]


def products(folder, limit, names):
    """The files of the property processes whose product is small enough, or those of the instances named."""
    with open(folder / "properties.tsv", encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["type"] != "LTL" or not row["prop_dve"] or not row["obelix_product_states"]:
                continue
            if row["instance"] in names if names else int(row["obelix_product_states"]) <= limit:
                yield folder / row["instance"].split(".")[0] / row["prop_dve"]


def problems(arguments, path, algorithms):
    """What is wrong with the runs on one product, a line each. The times of the runs are printed."""
    times = []

    def check(algorithm, options):
        started = time.monotonic()
        run = strata_run.check(arguments.strata, path, options, arguments.timeout, algorithm=algorithm)
        times.append(f"{algorithm} {time.monotonic() - started:.1f}")
        return run

    expected = check(YARDSTICK, [])
    if expected.answer() not in ("holds", "liveness"):
        yield f"{path}, {YARDSTICK}: {expected.answer()}\n{expected.text()}"
        return
    for algorithm in algorithms:
        options = ["--memory", f"{arguments.memory}M", "--threads", "2"]
        if algorithm in TIME_LIMITS:
            options += ["--time-limit", str(TIME_LIMITS[algorithm])]
        run = check(algorithm, options)
        where = f"{path}, {algorithm}"
        if run.answer() != expected.answer():
            yield f"{where}: {run.answer()}, {YARDSTICK} says {expected.answer()}\n{run.text()}"
            continue
        if run.answer() == "holds" and run.count("states") != expected.count("states"):
            yield f"{where}: {run.count('states')} states, {YARDSTICK} has {expected.count('states')}"
        if run.answer() == "liveness" and run.counterexample() is None:
            yield f"{where}: no lasso"
        peak = run.report["memory"]["peak_rss"]
        if peak > (arguments.memory + 8) * MIB:
            yield f"{where}: {peak / MIB:.0f} MiB in RAM, the limit is {arguments.memory}"
    print(f"{path.name}: {expected.answer()}, {expected.count('states')} states; s: {', '.join(times)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--dir", default=str(DEFAULT_DIR))
    parser.add_argument("--states", type=int, default=50_000, help="run products with at most this many states")
    parser.add_argument("--memory", type=int, default=32, help="MiB")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run")
    parser.add_argument("--algorithms", help="names, with commas; all without")
    parser.add_argument("instances", nargs="*", help="names as anderson.4; all without")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.dir)
    if not folder.is_dir():
        print(f"skipped: {folder} is not there")
        return 77
    algorithms = arguments.algorithms.split(",") if arguments.algorithms else cycle_searches(arguments.strata)
    chosen = list(products(folder, arguments.states, arguments.instances))
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda path: list(problems(arguments, path, algorithms)), chosen))
    wrong = [problem for part in found for problem in part]
    for problem in wrong:
        print(f"FAILED {problem}")
    print(f"{len(chosen)} products with {', '.join(algorithms)}: {len(wrong)} problems")
    return 1 if wrong or not chosen or not algorithms else 0


if __name__ == "__main__":
    sys.exit(main())
