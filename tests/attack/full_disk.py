"""Runs with checkpoints that fill their disk, and go on elsewhere.

    python3 full_disk.py --strata PATH [--long] [--only ALGORITHM]

A tmpfs of some MiB, mounted where only this script sees it, is full before the search is done: the run ends as
incomplete, names the folder, and its checkpoint stands. Resumed there it ends again, and loses nothing; resumed
with a further folder it gives the answer of a run that had room. Where the system does not let us mount a tmpfs,
--disk-limit is the end of the disk. Every fifth algorithm is tried, and with --long each."""

import argparse
import os
import shutil
import subprocess
import sys

import attack
import kept_runs

INSIDE = "STRATA_FULL_DISK_INSIDE"
SIZE, LIMIT = "8m", "3M"


def mount(folder):
    """Whether a small file system is there now."""
    folder.mkdir()
    return os.environ.get(INSIDE) == "mount" and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)], check=False).returncode == 0


def expect_full(world, run, reason, folder, what):
    """It ended because the disk was full, and can go on; the states of the checkpoint."""
    answer = run.answer()
    checkpoint = answer.get("checkpoint", {})
    world.expect(run.code == 152 and answer.get("reason") == reason,
                 f"{what}: exit code {run.code}, reason {answer.get('reason')}: {run.out[-300:]}{world.said()[-500:]}")
    message = answer.get("stop_message") or ""
    world.expect(reason == "disk_limit" or folder in message, f"{what}: {folder} is not named: {message}")
    world.expect(checkpoint.get("stands") is True, f"{what}: the checkpoint is {checkpoint}")
    world.expect(f"Resume with: strata resume {run.folder}" in run.out, f"{what}: it said {run.out[-300:]}")
    return checkpoint.get("states") or 0


def in_small_world(world, algorithm):
    """With a small disk, which goes whatever happens."""
    small = world.folder / "small"
    mounted = mount(small)
    try:
        fill(world, algorithm, small, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(small)], check=False)


def fill(world, algorithm, small, mounted):
    """From a full disk to the answer."""
    what, more = algorithm.name, world.folder / "more"
    more.mkdir()
    # Of a search in memory the disk has but what its checkpoints have.
    in_memory = "ram" in algorithm.parameters or not algorithm.has("on_disk")
    states = 160 if in_memory else 150
    path = world.write("cube.m", kept_runs.CUBE)
    question = kept_runs.Question("cube", str(path), ("--deadlock", "off", "-D", f"N={states}"))
    run = kept_runs.KeptRun(world, algorithm, question, "small/run")
    run.report = world.folder / "run.json"
    reference = kept_runs.References(world).of(run)
    reason = "disk_full" if mounted else "disk_limit"
    limit = [] if mounted else ["--disk-limit", LIMIT]
    before = 0
    for part in ("at first", "resumed where it was"):
        run.strike(run.next_command(more=limit), 120, 9)
        if not run.folder.exists():
            return world.expect(False, f"{what}, {part}: the disk was not full: {run.code}, {run.answer().get('disk')}")
        found = expect_full(world, run, reason, str(small), f"{what}, {part}")
        world.expect(found >= before, f"{what}: {found} states after {before}")
        before = found
    run.strike(run.next_command(more=["--disk", more] if mounted else ["--disk", more, "--disk-limit", "10G"]), 120, 9)
    kept_runs.expect_same(world, run, reference, what)
    world.expect(not list(more.iterdir()), f"{what}: left: {list(more.iterdir())}")


def inside():
    """Starts this script again where it may mount, if that can be."""
    where = {**os.environ, INSIDE: "mount"}
    probe = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    if shutil.which("unshare") and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
        return subprocess.run(["unshare", "-rm", sys.executable, "-B", *sys.argv], env=where, check=False).returncode
    print("this system does not let us mount a tmpfs: --disk-limit is the end of the disk")
    return subprocess.run([sys.executable, "-B", *sys.argv], env={**os.environ, INSIDE: "limit"},
                          check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="an algorithm")
    arguments = parser.parse_args()
    if INSIDE not in os.environ:
        return inside()

    def names(world):
        rows = [row for row in kept_runs.resumable_algorithms(world) if not row.has("cycles")]
        found.extend(row for row in rows if arguments.only in (None, row.name))

    found = []
    failed = attack.in_world(arguments.strata, [("algorithms", names)])
    chosen = found if arguments.long or arguments.only else found[::5]
    return attack.in_world(arguments.strata, [(row.name, lambda world, row=row: in_small_world(world, row))
                                              for row in chosen]) or failed


if __name__ == "__main__":
    sys.exit(main())
