"""./strata adds under 0.1 s to the program's own start once it is built, and refuses bad usage with exit code 151."""

import argparse
import os
import subprocess
import tempfile
import time

import house

LIMIT = 0.1
ROUNDS = 9

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--strata", required=True, help="the program as it was built")
arguments = parser.parse_args()
launcher = house.ROOT / "strata"


def fastest(*command):
    """The least of several runs: the others measure what else the machine does."""
    times = []
    for _ in range(ROUNDS):
        begin = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.monotonic() - begin)
    return min(times)


def usage_problems():
    for bad in (["--no-such-option"], ["no-such-command"], []):
        result = house.run(launcher, *bad)
        if result.returncode != 151 or not result.stderr or result.stdout:
            yield (f"./strata {' '.join(bad)}: expected exit code 151 and a message on standard error alone, got "
                   f"{result.returncode}\nstandard output: {result.stdout}\nstandard error: {result.stderr}")


def path_problems():
    """From another folder, through a symbolic link, with a file name that a shell would take apart."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(launcher, os.path.join(folder, "link"))
        name = "no such  'model' $HOME *.m"
        result = house.run("./link", "check", name, cwd=folder)
        if result.returncode == 0 or name not in result.stderr:
            yield f"the launcher changed the argument [{name}]; standard error: {result.stderr}"


house.run(launcher, "--version")
version = house.run(launcher, "--version")
if version.returncode != 0 or version.stderr:
    house.finish([f"./strata --version: exit code {version.returncode}, standard error: {version.stderr}"])
overhead = fastest(launcher, "--version") - fastest(arguments.strata, "--version")
slow = [f"./strata starts {overhead:.3f} s later than the program; the limit is {LIMIT} s"] if overhead > LIMIT else []
house.finish([*slow, *usage_problems(), *path_problems()], f"the launcher takes {overhead * 1000:.0f} ms")
