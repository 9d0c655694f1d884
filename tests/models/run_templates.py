"""Expands BEEM's templates: with an instance's parameters, X.mdve must have the states and transitions of X.N.dve.

    python3 run_templates.py --strata PATH [--dir DIR] [--states N]

The first instance of each family with at most --states states is run. Where m4 is missing, the message must say so.
Exit code 77: the folder is not there, or m4 is not."""

import argparse
import pathlib
import re
import shutil
import sys

import run_beem
import strata_run


def options_of(parameters):
    return [word for name, value in re.findall(r"(\w+)=(\w+)", parameters) for word in ("-D", f"{name}={value}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--dir", default=str(run_beem.DEFAULT_DIR))
    parser.add_argument("--states", type=int, default=50_000)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.dir)
    if not folder.is_dir() or not shutil.which("m4"):
        print(f"skipped: {folder} or m4 is not there")
        return 77
    failed = checked = 0
    done = set()
    for row in run_beem.rows(folder / "instances.tsv"):
        family = row["instance"].split(".")[0]
        if family in done or row["complete"] != "yes" or int(row["states"]) > arguments.states:
            continue
        done.add(family)
        checked += 1
        run = strata_run.check(arguments.strata, folder / family / f"{family}.mdve",
                               [*run_beem.COUNTING, *options_of(row["params"])], arguments.timeout)
        if run.count("states") != int(row["states"]):
            failed += 1
            print(f"FAILED {row['instance']}: {run.count('states')} states, expected "
                  f"{row['states']}\n{run.text()[:2000]}")
    without = strata_run.run([arguments.strata, "info", str(folder / "peterson" / "peterson.mdve")], 60,
                             {"PATH": "/nonexistent"}, as_json=False)
    if without.exit_code != 153 or "apt-get install m4" not in without.stderr:
        failed += 1
        print(f"FAILED without m4:\n{without.text()}")
    print(f"{checked} templates, {failed} failed")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
