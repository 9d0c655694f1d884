"""examples/long_run.sh, with jobs of a second instead of a day, until the verdict comes.

    python3 long_run.py --strata PATH

The jobs together must give the answer of one run that nothing ends; and a job that is lost, killed with its script,
is called again and goes on."""

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import time

import attack
import kept_runs

SCRIPT = attack.EXAMPLES / "long_run.sh"
MODEL = [str(attack.EXAMPLES / "peterson.m"), "-D", "N=5", "--memory", "64M", "--progress", "off"]


def algorithm(world):
    """auto where it can be resumed, or the first one that can."""
    rows = [row for row in kept_runs.resumable_algorithms(world) if not row.has("cycles")]
    return next((row for row in rows if row.name == "auto"), rows[0])


def jobs(world):
    arguments = [*MODEL, "--algorithm", algorithm(world).name]
    world.run(["check", *arguments, "--bound", "1"])
    begin = time.monotonic()
    code, _, errors = world.run(["check", *arguments, "--json", world.folder / "whole.json"])
    seconds = time.monotonic() - begin
    whole = attack.read_json(world.folder / "whole.json") or {}
    world.expect(whole.get("verdict") == "holds", f"without checkpoints: {whole.get('verdict')} {errors}")
    run = world.folder / "run"
    environment = {**world.environment, "RUN": str(run), "LIMIT": f"{seconds / 4:.2f}", "STRATA": world.strata}
    # The first job is lost.
    first = subprocess.Popen(["bash", SCRIPT, *arguments], env=environment, start_new_session=True,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    attack.wait_until(lambda: first.poll() is not None or list(run.glob("image.*")))
    with contextlib.suppress(ProcessLookupError):  # on a busy machine it may have come to its limit
        os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    done = subprocess.run(["bash", SCRIPT, *arguments], env=environment, capture_output=True, text=True, timeout=300,
                          check=False)
    world.expect(done.returncode == code, f"exit code {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    limits = len(re.findall("Resume with: strata resume", done.stdout))
    world.expect(limits >= 2, f"only {limits} of the jobs came to their limit")
    answer = attack.read_json(world.folder / "run.json") or {}
    for name in ("verdict", "states", "transitions"):
        world.expect(answer.get(name) == whole.get(name), f"{name} is {answer.get(name)} instead of {whole.get(name)}")
    world.expect(answer.get("resumed", 0) >= limits, f"resumed {answer.get('resumed')} times, {limits} limits")
    world.expect(not run.exists(), "the folder of the run is left")
    world.expect_clean("the last job")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    return attack.in_world(parser.parse_args().strata, [("jobs", jobs)])


if __name__ == "__main__":
    sys.exit(main())
