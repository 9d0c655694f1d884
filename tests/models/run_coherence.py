"""Runs generated cache-coherence models: thousands of lines, states of hundreds of bytes, scalarsets, recursion,
liveness.

    python3 run_coherence.py --strata PATH [--dir DIR] [--long]

Every model must parse. One is searched for some levels; with --long all are, and COMP_Model_3CC as a whole, whose
counts and liveness properties must be those in the README of the collection. Exit code 77: the folder is not there."""

import argparse
import pathlib
import sys

import strata_run

DEFAULT_DIR = pathlib.Path(__file__).resolve().parents[3] / "shared" / "models" / "murphi" / "coherence"
SHORT = "MU_FullSystem_3CC.m"
WHOLE = (("COMP_Model_3CC.m", "off", 2025214, 9331841), ("COMP_Model_3CC.m", "exact", 348788, 1619207))


class Coherence(strata_run.Suite):
    """All runs, and what failed."""

    def parse(self, path):
        self.count += 1
        run = strata_run.run([self.strata, "info", str(path)], self.timeout, as_json=False)
        if run.exit_code != 0:
            self.fail(path.name, f"info ends with {run.exit_code}", run)

    def search_some(self, path):
        """Some levels have no error: the run ends at its bound."""
        self.count += 1
        run = strata_run.check(self.strata, path, ["--bound", "5"], self.timeout)
        if run.answer() not in ("incomplete", "holds"):
            self.fail(path.name, run.answer(), run)

    def search_all(self, path, symmetry, states, rules):
        self.count += 1
        run = strata_run.check(self.strata, path, ["--symmetry", symmetry], self.timeout)
        found = (run.answer(), run.count("states"), run.count("transitions"))
        if found != ("holds", states, rules):
            self.fail(path.name, f"{found}, expected holds with {states} states, {rules} rules", run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--dir", default=str(DEFAULT_DIR))
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for one run")
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.dir)
    if not folder.is_dir():
        print(f"skipped: {folder} is not there")
        return 77
    coherence = Coherence(arguments.strata, folder, arguments.timeout)
    for path in sorted(folder.glob("*.m")):
        coherence.parse(path)
        if arguments.long or path.name == SHORT:
            coherence.search_some(path)
    if arguments.long:
        for name, *expected in WHOLE:
            coherence.search_all(folder / name, *expected)
    print(f"{coherence.count} runs, {coherence.failed} failed")
    return 1 if coherence.failed else 0


if __name__ == "__main__":
    sys.exit(main())
