"""A hundred million states of 325 bytes, in 4 GiB of memory without a disk, and in 512 MiB with one.

    python3 wide_states.py --strata PATH [--disk DIR] [--stations N]

The model shelves.m with eight stations: whole, its states would take 32 GB. Both searches must find all of them, with a
peak of resident memory of 8 MiB above the limit at most. Takes about fifteen minutes and 2 GiB of disk.
"""

import argparse
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "models"))
import strata_run  # noqa: E402

MODEL = pathlib.Path(__file__).resolve().parent.parent / "models" / "murphi" / "shelves.m"
SEARCHES = [("ram", 4 << 30), ("auto", 512 << 20)]


def check(arguments, algorithm, memory):
    """What is wrong with one search; prints its figures."""
    command = [arguments.strata, "check", str(MODEL), "-D", f"Stations={arguments.stations}", "--algorithm", algorithm,
               "--memory", str(memory), "--threads", "2", "--progress", "off", "--json", "-"]
    command += ["--disk", arguments.disk] if arguments.disk else []
    begin = time.monotonic()
    run = strata_run.run(command, timeout=7000)
    seconds = time.monotonic() - begin
    if run.exit_code != 0 or not run.report:
        return [f"{algorithm}: exit code {run.exit_code}\n{run.text()}"]
    found = run.report
    states, rss = found["states"], found["memory"]["peak_rss"]
    print(f"{algorithm:5} {seconds:6.1f} s, {states:,} states of {found['state_bytes']} bytes, peak RSS "
          f"{rss / 2**20:.0f} of {memory / 2**20:.0f} MiB, {rss / states:.1f} bytes a state, disk written "
          f"{found['disk']['written'] / 2**30 if found.get('disk') else 0:.2f} GiB, folding {found['folding']['mode']}",
          flush=True)
    expected = 10 ** arguments.stations
    wrong = [f"{algorithm}: {states:,} states, expected {expected:,}"] if states != expected else []
    wrong += [f"{algorithm}: folding {found['folding']}"] if found["folding"]["mode"] != "on" else []
    return wrong + ([f"{algorithm}: peak RSS {rss:,}"] if rss > memory + (8 << 20) else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strata", required=True)
    parser.add_argument("--disk")
    parser.add_argument("--stations", type=int, default=8)
    arguments = parser.parse_args()
    problems = [problem for search in SEARCHES for problem in check(arguments, *search)]
    for problem in problems:
        print(problem)
    print(f"{len(SEARCHES)} searches, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
