"""A hundred million states with 256 MiB of memory, by each search that is made for it.

    python3 hundred_million.py --strata PATH [--disk DIR] [ALGORITHM...]

The sliding window protocol with 104,663,488 states of 13 bytes, for which `ram` takes 1.9 GiB. Each search must
find all of them, with a peak of resident memory of 256 + 8 MiB at most and within the disk limit. Takes about eight
minutes and 5 GiB of disk."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODEL = [str(ROOT / "examples" / "sliding_window.m"), "-D", "SeqSpace=8", "-D", "Window=4", "-D", "Capacity=4"]
STATES = 104_663_488
MEMORY, DISK = 256 << 20, 8 << 30


def check(strata, algorithm, disk):
    """What is wrong with one search; prints its figures."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [strata, "check", *MODEL, "--algorithm", algorithm, "--memory", str(MEMORY), "--disk-limit",
                   str(DISK), "--threads", "2", "--progress", "off", "--json", str(report), *disk]
        begin = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
        seconds = time.monotonic() - begin
        if run.returncode != 0 or not report.exists():
            return [f"{algorithm}: exit code {run.returncode}\n{run.stdout}{run.stderr}"]
        found = json.loads(report.read_text())
    rss, peak = found["memory"]["peak_rss"], found["disk"]["peak"]
    print(f"{algorithm:8} {seconds:6.1f} s, {found['states']:,} states, {found['expansions']:,} expansions, peak RSS "
          f"{rss / 2**20:.0f} MiB, disk: peak {peak / 2**30:.2f}, written {found['disk']['written'] / 2**30:.2f}, read "
          f"{found['disk']['read'] / 2**30:.2f} GiB", flush=True)
    wrong = [f"{algorithm}: {found['states']:,} states, expected {STATES:,}"] if found["states"] != STATES else []
    wrong += [f"{algorithm}: peak RSS {rss:,}"] if rss > MEMORY + (8 << 20) else []
    return wrong + ([f"{algorithm}: disk {peak:,}"] if peak > DISK else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--disk", help="as strata's --disk")
    parser.add_argument("algorithms", nargs="*", default=["auto", "part", "hddd", "dddd", "serial"])
    arguments = parser.parse_args()
    disk = ["--disk", arguments.disk] if arguments.disk else []
    problems = [problem for name in arguments.algorithms for problem in check(arguments.strata, name, disk)]
    print("\n".join(problems))
    print(f"{len(arguments.algorithms)} searches, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
