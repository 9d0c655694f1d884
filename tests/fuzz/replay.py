"""Runs everything that fuzzing once found, and a few texts that are hard for any parser: all must end with an
ordinary exit code.

    python3 replay.py --strata PATH [--memory MEGABYTES]
"""

import argparse
import pathlib
import random
import sys
import tempfile

import front_end
import mutations

HERE = pathlib.Path(__file__).resolve().parent
HARD_TEXTS = 60


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--timeout", type=int, default=10, help="seconds of processor time for one run")
    parser.add_argument("--memory", type=int, default=0, help="limit of address space in MiB; not with sanitizers")
    arguments = parser.parse_args()
    failed = 0
    findings = sorted(path for language in mutations.LANGUAGES.values()
                      for path in (HERE / "findings").glob("*" + language.suffix))
    for path in findings:
        failed += report(arguments, path, path)
    with tempfile.TemporaryDirectory(prefix="strata-replay-") as folder:
        for name, language in mutations.LANGUAGES.items():
            path = pathlib.Path(folder) / ("hard" + language.suffix)
            for seed in range(HARD_TEXTS):
                path.write_bytes(language.hard_text(random.Random(seed)))
                failed += report(arguments, path, f"hard text {seed} of {name}")
    print(f"{len(findings)} findings and {HARD_TEXTS} hard texts of each language, {failed} failed")
    return 1 if failed else 0


def report(arguments, path, name):
    wrong = front_end.complaint(arguments.strata, path, arguments.timeout, arguments.memory)
    if wrong:
        print(f"FAILED {name}: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
