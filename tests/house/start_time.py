"""./strata adds under 0.1 s of processor time to the program's own start once it is built, and refuses bad usage with
exit code 151. Processor time hardly depends on what else the machine does, unlike the time that passes; instructions
would not depend on it at all, but most containers refuse to count them."""

import argparse
import os
import resource
import subprocess
import tempfile

import house

LIMIT = 0.1
ROUNDS = 9

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--strata", required=True, help="the program as it was built")
arguments = parser.parse_args()
launcher = house.ROOT / "strata"


def processor_time(*command):
    """Seconds of the process and of those that it starts; the least of several runs."""
    times = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
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
overhead = processor_time(launcher, "--version") - processor_time(arguments.strata, "--version")
slow = [f"./strata needs {overhead:.3f} s more than the program; the limit is {LIMIT} s"] if overhead > LIMIT else []
house.finish([*slow, *usage_problems(), *path_problems()],
             f"the launcher adds {overhead * 1000:.0f} ms of processor time")
