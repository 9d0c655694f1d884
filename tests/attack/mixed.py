"""Checkpoints whose files are damaged, or are those of several runs.

    python3 mixed.py --strata PATH [--count N] [--seed S] [--only ALGORITHM]

For some searches that can be resumed there are three runs that were killed: one, one of another model whose states
have the same size, and a copy of the first that went on by itself. In a copy of one of them some files give way to
those of another that have the same part to play, or are damaged, cut, exchanged, removed, or replaced by something
that is not a plain file. Then the run is resumed: it gives the counts of one of the runs whose files it has, all of
them, or it says what is wrong and which file. --count is the number of resumed folders."""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys

import attack
import kept_runs
import resuming

# As many states of the same size, and other ones: the counts differ.
OTHER = kept_runs.CUBE.replace("a := 0; b := 0", "a := 9; b := 4")
ALGORITHMS = (("auto", ()), ("auto", ("--set", "ram=0")), ("ram", ()), ("part", ()), ("hddd", ()), ("local", ()),
              ("cbf", ()))
COUNTS = ("verdict", "states", "transitions", "depth")


def role(path, number):
    """What a file is to its run, apart from the numbers of its checkpoint and of the file."""
    name = path.name
    if name.startswith("image."):
        return "last image" if int(name[len("image."):]) == number else "another image"
    return f"{path.parent.name}/{name.split('~')[0]}"


class Saved:
    """A run that was killed, with a copy of its folder for each attack."""

    def __init__(self, run, expected):
        self.run, self.expected = run, expected
        self.files = [path for path in sorted(run.folder.rglob("*")) if path.is_file()
                      and path.name not in ("lock", "reserve")]
        self.number = resuming.numbers(run)[0]

    def counts(self):
        return tuple(self.expected.get(name) for name in COUNTS)


def begin(world, algorithm, extra, model, name):
    size = 120 if algorithm.name in ("ram", "auto") and not extra else 50
    question = kept_runs.Question(model.stem, str(model), ("--deadlock", "off", "-D", f"N={size}"))
    return kept_runs.KeptRun(world, algorithm, question, name, (*extra, "--threads", "1"))


def kill_after(run, checkpoints):
    """Kills the run after this many checkpoints; False: the run ended before."""
    before = resuming.numbers(run)[0]
    process = run.world.start(run.next_command())
    attack.wait_until(lambda: process.poll() is not None or resuming.numbers(run)[0] >= before + checkpoints)
    stood = process.poll() is None
    if stood:
        process.send_signal(signal.SIGKILL)
    process.wait(60)
    return stood and resuming.numbers(run)[1] > 0


def save_three(world, algorithm, extra, number):
    """The runs of which files are mixed; none where the machine was too fast."""
    references = kept_runs.References(world)
    saved = []
    for name, text in (("cube", kept_runs.CUBE), ("other", OTHER)):
        run = begin(world, algorithm, extra, world.write(f"{name}.m", text), f"{name}{number}")
        expected = references.of(run)[1]
        if not kill_after(run, 2):
            return []
        saved.append(Saved(run, expected))
    copy = begin(world, algorithm, extra, world.folder / "models" / "cube.m", f"copy{number}")
    subprocess.run(["cp", "-a", saved[0].run.folder, copy.folder], check=True)
    if kill_after(copy, 2):
        saved.append(Saved(copy, saved[0].expected))
    return saved


def replace(path, choose):
    """Replaces the file by something that is not a plain file."""
    path.unlink()
    kind = choose.choice(["a folder", "a FIFO", "a link to a device", "a link to nothing"])
    if kind == "a folder":
        path.mkdir()
    elif kind == "a FIFO":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if "device" in kind else "/nowhere")
    return kind


def change(path, choose, files):
    """Damages a file; what was done."""
    content = bytearray(path.read_bytes())
    kind = choose.choice(["a bit", "cut", "longer", "zeros", "removed", "exchanged", "replaced"])
    if kind == "a bit" and content:
        content[choose.randrange(len(content))] ^= 1 << choose.randrange(8)
    elif kind == "cut":
        content = content[:choose.randrange(len(content) + 1)]
    elif kind == "longer":
        content += choose.randbytes(choose.randrange(1, 9000))
    elif kind == "zeros" and content:
        at = choose.randrange(len(content))
        content[at:at + 4096] = bytes(len(content[at:at + 4096]))
    elif kind == "removed":
        path.unlink()
        return kind
    elif kind == "replaced":
        return replace(path, choose)
    elif kind == "exchanged":
        other = choose.choice(files)
        if other != path:
            first, second = path.read_bytes(), other.read_bytes()
            path.write_bytes(second)
            other.write_bytes(first)
        return f"exchanged with {other.name}"
    path.write_bytes(content)
    return kind


def mix(saved, folder, choose):
    """A copy of one of the runs, with files of the others; whose they may be, and what was done."""
    base = choose.choice(saved)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base.run.folder, folder, symlinks=True)
    inside = lambda path: folder / path.relative_to(base.run.folder)
    done = []
    if choose.random() < 0.65:
        other = choose.choice([one for one in saved if one is not base])
        theirs = {}
        for path in other.files:
            theirs.setdefault(role(path, other.number), []).append(path)
        pairs = [(path, theirs[role(path, base.number)]) for path in base.files if role(path, base.number) in theirs]
        for path, candidates in choose.sample(pairs, choose.randint(1, min(4, len(pairs)))):
            shutil.copy(choose.choice(candidates), inside(path))
            done.append(f"{path.name} of {other.run.folder.name}")
    else:
        files = [inside(path) for path in base.files]
        path = choose.choice(files)
        done.append(f"{path.name}: {change(path, choose, files)}")
    return base, done


def strike(world, saved, folder, choose, what):
    """One mixed folder, resumed; whether it was refused."""
    base, done = mix(saved, folder, choose)
    report = world.folder / "mixed.json"
    report.unlink(missing_ok=True)
    what = f"{what}, {base.run.folder.name} with {', '.join(done)}"
    more = ["--previous"] if choose.random() < 0.15 else []
    try:
        code, out, errors = world.run(["resume", folder, "--json", report, "--progress", "off", *more], timeout=60)
    except subprocess.TimeoutExpired:
        world.expect(False, f"{what}: it hangs")
        return False
    found = attack.read_json(report) or {}
    refused = code in (151, 153)
    if refused:
        world.expect(re.search(r"^strata: .*/", errors, re.MULTILINE) and "a bug" not in errors + out,
                     f"{what}: exit code {code} and no clear message: {errors}{out[-300:]}")
    elif code == 0:
        counts = tuple(found.get(name) for name in COUNTS)
        depth = len(COUNTS) if base.run.algorithm.has("exact_depth") else len(COUNTS) - 1
        if base.run.algorithm.has("revisits"):
            depth = COUNTS.index("transitions")
        good = {one.counts()[:depth] for one in saved}
        world.expect(counts[:depth] in good, f"{what}: the counts are {counts}, and should be one of {good}")
    else:
        world.expect(False, f"{what}: exit code {code}: {errors}{out[-300:]}")
    return refused


def attack_all(world, arguments):
    choose = random.Random(arguments.seed)
    known = {row.name: row for row in kept_runs.resumable_algorithms(world)}
    ways = [(known[name], extra) for name, extra in ALGORITHMS if name in known and arguments.only in ("", name)]
    choose.shuffle(ways)
    tried = refused = number = 0
    while tried < arguments.count and number < 5 * len(ways) and len(world.problems) < 10:
        algorithm, extra = ways[number % len(ways)]
        saved = save_three(world, algorithm, extra, number)
        number += 1
        for _ in range(min(arguments.count - tried, max(10, arguments.count // len(ways))) if saved else 0):
            what = f"{algorithm.name} {' '.join(extra)} (number {tried} of --seed {arguments.seed})"
            refused += strike(world, saved, world.folder / "mixed", choose, what)
            tried += 1
        for folder in [world.folder / "mixed", *(one.run.folder for one in saved)]:
            shutil.rmtree(folder, ignore_errors=True)
    world.expect(tried == arguments.count, f"only {tried} of {arguments.count} could be tried")
    world.expect_clean("all mixes")
    print(f"{tried} folders resumed, {refused} of them refused")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="an algorithm")
    arguments = parser.parse_args()
    return attack.in_world(arguments.strata, [("mixed", lambda world: attack_all(world, arguments))])


if __name__ == "__main__":
    sys.exit(main())
