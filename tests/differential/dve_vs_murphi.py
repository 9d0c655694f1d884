"""Compares the DVE front end with the Murphi one on random systems that are written in both languages.

    python3 dve_vs_murphi.py --strata PATH --count 20 --seed 1 [--keep DIR]

States, transitions and the sizes of all levels must be the same. A difference is reported with its seed and both models
are kept. Exit code: 0 all equal, 1 a difference.
"""

import argparse
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "models"))

import dve_generator  # noqa: E402
import strata_run  # noqa: E402


def compare(strata, seed, folder):
    """(what differs or an empty text, number of states)"""
    system = dve_generator.System(seed)
    paths = {"DVE": folder / f"system_{seed}.dve", "Murphi": folder / f"system_{seed}.m"}
    paths["DVE"].write_text(system.dve(), encoding="utf-8")
    paths["Murphi"].write_text(system.murphi(), encoding="utf-8")
    runs = {name: strata_run.check(strata, path, ["--deadlock", "off"]) for name, path in paths.items()}
    for name, run in runs.items():
        if run.answer() != "holds":
            return f"seed {seed}: {name} says {run.answer()}\n{run.text()}", 0
    for key in ("states", "transitions", "levels"):
        dve, murphi = (runs[name].count(key) for name in ("DVE", "Murphi"))
        if dve != murphi:
            return f"seed {seed}: {key}: DVE {dve}, Murphi {murphi}", 0
    return "", runs["DVE"].count("states")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the models; without, only those that differ are kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="strata-dve-"))
    folder.mkdir(exist_ok=True)
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda seed: compare(arguments.strata, seed, folder), seeds))
    failed = 0
    for seed, (wrong, _) in zip(seeds, results):
        if wrong:
            failed += 1
            print(f"FAILED {wrong}\n  again: {sys.argv[0]} --strata {arguments.strata} --seed {seed} --count 1; "
                  f"models in {folder}")
        elif not arguments.keep:
            for suffix in (".dve", ".m"):
                (folder / f"system_{seed}{suffix}").unlink()
    if not failed and not arguments.keep:
        folder.rmdir()
    print(f"{len(results)} systems of {sum(states for _, states in results)} states in all, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
