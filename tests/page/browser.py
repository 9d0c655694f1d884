"""The pages of --report and `strata trace` in a real browser: Debian's chromium, driven by selenium.

    python3 browser.py --strata PATH [--keep DIR] [--only NAME]

Models are checked, and what the pages then show is held against the JSON report and the ITF trace of the same run.
--keep leaves the pages there, and a screenshot of each. Exit code 77: the browser is not installed."""

import argparse
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SYSTEM_PYTHON = "/usr/bin/python3"
if importlib.util.find_spec("selenium") is None:
    # Debian's selenium belongs to Debian's Python, which another one may hide.
    if os.path.exists(SYSTEM_PYTHON) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", *sys.argv])
    print("skipped: selenium is not installed (Debian package python3-selenium)")
    sys.exit(77)

import checks  # noqa: E402  (it needs selenium)
import pages  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", help="run only the checks whose name has this in it")
    options = parser.parse_args()
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            print(f"skipped: {program} is not installed (Debian packages chromium, chromium-driver)")
            return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        made = pages.make(os.path.abspath(options.strata), folder.resolve())
        return checks.run(made, folder.resolve(), options.only, options.keep is not None)


if __name__ == "__main__":
    sys.exit(main())
