"""Repetitions over scalarsets whose order may matter, with symmetry as it is by default against none.

    python3 orders.py --strata PATH --count 60 --seed 1 [--together 20] [--keep DIR] [--jobs 1]

Each program of order_programs.py is one of several in a model. The scalarsets that Strata proves to be symmetric are
reduced; then the sum of the sizes of the orbits must be the number of states without symmetry, and both searches must
give the same answer. Where they differ, the programs of the model are run one by one; those that differ are reported
and kept, and a small one of each that still differs (tests/differential/shrink_text.py). Exit code: 0 all is as it
should be, 1 something is not.
"""

import argparse
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

for neighbour in ("models", "differential"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / neighbour))

import order_programs  # noqa: E402
import shrink_text  # noqa: E402
import strata_run  # noqa: E402


class Driver:
    def __init__(self, arguments, folder):
        self.strata = arguments.strata
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
        self.proved = self.programs = self.failing = 0

    def check(self, path, options):
        return strata_run.check(self.strata, path, ["--deadlock", "off", "--memory", "256M", *options],
                                environment=self.environment, algorithm="ram")

    def differs(self, seeds):
        """What is wrong with a model of these programs; empty: nothing. Counts what was seen."""
        path = self.path(seeds)
        path.write_text(order_programs.model(seeds), encoding="utf-8")
        problem, reduced, plain = self.compare(path)
        if not problem:
            path.unlink()
            self.programs += len(seeds)
            self.failing += len(seeds) if plain.answer() != "holds" else 0
            self.proved += len((reduced.report or {}).get("symmetry", {}).get("types", []))
        return problem

    def path(self, seeds):
        return self.folder / f"orders-{seeds[0]}-{len(seeds)}.m"

    def compare(self, path):
        """What is wrong with a model, and both searches of it."""
        reduced, plain = self.check(path, []), self.check(path, ["--symmetry", "off"])
        problem = ""
        if reduced.answer() != plain.answer():
            problem = f"{reduced.answer()} with symmetry, {plain.answer()} without\n{reduced.text()}\n{plain.text()}"
        symmetry = (reduced.report or {}).get("symmetry", {})
        if not problem and plain.answer() == "holds":
            states = symmetry.get("orbit_states", reduced.count("states"))
            if states != plain.count("states"):
                problem = f"{states} states by orbits, {plain.count('states')} without symmetry\n{reduced.text()}"
        return problem, reduced, plain

    def keep_smallest(self, seed):
        """Shrinks a program by itself; the answers of both searches stay."""
        def differs(path):
            problem, *runs = self.compare(path)
            return problem != "" and [run.answer() for run in runs] == answers

        path = self.path([seed])
        if not path.exists():
            return "only together with other programs"
        answers = [run.answer() for run in self.compare(path)[1:]]
        return shrink_text.keep_smallest(path, differs)

    def batch(self, seeds):
        problem = self.differs(seeds)
        if not problem:
            return []
        single = [(seed, self.differs([seed])) for seed in seeds]
        found = [(seed, text) for seed, text in single if text]
        return found or [(seeds[0], f"together only: {problem}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--together", type=int, default=20, help="programs in a model")
    parser.add_argument("--keep", help="keep programs that fail in this folder")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    folder = arguments.keep or tempfile.mkdtemp(prefix="strata-orders-")
    os.makedirs(folder, exist_ok=True)
    driver = Driver(arguments, folder)
    seeds = list(range(arguments.seed, arguments.seed + arguments.count))
    batches = [seeds[i:i + arguments.together] for i in range(0, len(seeds), arguments.together)]
    failed = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(driver.batch, batches):
            for seed, problem in found:
                failed += 1
                print(f"FAILED seed {seed}: {problem}\n  again: python3 {sys.argv[0]} --strata {arguments.strata} "
                      f"--count 1 --seed {seed} --keep {folder}\n  {driver.keep_smallest(seed)}\n", flush=True)
    print(f"{driver.programs} programs, {driver.proved} with a scalarset proved to be symmetric, {driver.failing} in "
          f"models with an error; {failed} failed")
    return 1 if failed or driver.proved == 0 or driver.proved == driver.programs else 0


if __name__ == "__main__":
    sys.exit(main())
