"""A system that refuses: threads, memory, files, operations of io_uring. The run ends in order, or does without.

    python3 refusals.py --strata PATH --library FILE [--kind KIND] [--count N] [--seed S] [--only ALGORITHM]

--library is refuse.c, compiled: with it the n-th call of a kind fails, once or from then on. Each search is run
with each of its threads refused, with io_uring and without (with a --count below 100, some of them); of the other
kinds a search and a call are chosen at random, --count times a kind. The run gives the answer of a run that nothing
hindered, or ends with 152 or 153 and says why; it does not hang, crash or call it a bug of its own, and leaves
nothing behind."""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys

import attack
import kept_runs

SECONDS = 60
KINDS = ("memory", "submit", "open", "remove", "read", "write", "sync")
FOR_EVER = 1 << 40
ALL = 100  # --count from which on every thread is refused
OTHER = 61234  # a user who has nothing running


class Search:
    """A command that is done in a fraction of a second, and its answer."""

    def __init__(self, world, row, threads=4, extra=()):
        self.world, self.row, self.extra = world, row, extra
        self.name = " ".join((row.name, *extra))
        self.report = world.folder / "report.json"
        model = world.folder / "models" / "cube.m"
        if not model.exists():
            world.write(model.name, kept_runs.CUBE)
        size = "8" if row.has("shortest_lasso") else "24"
        ask = ("--ltl", 'F G "a = N"') if row.has("cycles") else ("--deadlock", "off")
        self.arguments = ["check", model, *ask, "-D", f"N={size}", "--algorithm", row.name, "--threads", threads,
                          "--memory",
                          f"{row.memory()}M", "--disk", world.folder / "disk", "--progress", "off", "--json",
                          self.report, *extra]
        if "ram" in row.parameters and not extra:
            self.arguments += ["--set", "ram=0"]
        self.code, _, self.answer, _ = self.run({})
        world.expect(self.code in (0, 13), f"{self.name}: {self.code} where nothing is refused")

    def run(self, changes):
        self.report.unlink(missing_ok=True)
        try:
            code, out, errors = self.world.run(self.arguments, SECONDS, **changes)
        except subprocess.TimeoutExpired:
            return None, "", {}, ""
        return code, out, attack.read_json(self.report) or {}, errors


class Refusals:
    def __init__(self, world, library):
        self.world, self.library = world, str(pathlib.Path(library).resolve())
        self.counter = world.folder / "count"
        self.runs = self.ended = 0

    def run(self, search, kind, number, times, ring=True):
        """One run, looked at; how many calls of the kind it made."""
        self.counter.write_bytes(bytes(8))
        changes = {"LD_PRELOAD": self.library, "STRATA_REFUSE": f"{kind} {number} {times}",
                   "STRATA_REFUSE_COUNT": str(self.counter)}
        if not ring:
            changes["STRATA_NO_RING"] = "1"
        code, _, answer, errors = search.run(changes)
        what = f"{search.name}, {kind} {number} x {times}{'' if ring else ', no ring'}"
        self.judge(search, what, code, answer, errors)
        self.runs += 1
        return struct.unpack("Q", self.counter.read_bytes())[0]

    def judge(self, search, what, code, answer, errors):
        world = self.world
        before = len(world.problems)
        # glibc ends the program itself where its loader gets no memory for a thread; nothing can be done before that.
        if code == 127 and "thread-local data: ABORT" in errors:
            self.forget_what_is_left()
            return
        if code == search.code:
            for name in ("verdict", "states"):
                world.expect(answer.get(name) == search.answer.get(name),
                             f"{what}: {name} {answer.get(name)}, and was {search.answer.get(name)}")
        else:
            self.ended += 1
            world.expect(code in (152, 153), f"{what}: exit code {code}: {errors[-400:]}")
            world.expect(answer.get("reason") if code == 152 else len(errors) > 20,
                         f"{what}: it does not say why: {errors[-400:]}")
        world.expect("bug in Strata" not in errors, f"{what}: {errors[-300:]}")
        left = [path for path in world.folder.glob("report.json*") if path != search.report]
        # What the system does not let it remove, it names.
        left += [path for name in ("temporary", "disk") for path in (world.folder / name).iterdir()
                 if path.name not in errors]
        world.expect(not left, f"{what}: left: {[path.name for path in left]}")
        self.forget_what_is_left()
        world.expect_clean(what)
        if len(world.problems) > before:
            print("\n".join(world.problems[before:]), flush=True)

    def forget_what_is_left(self):
        for name in ("temporary", "disk"):
            for path in (self.world.folder / name).iterdir():
                shutil.rmtree(path)


def rows_of(world, only):
    _, out, _ = world.run(["algorithms", "--json", "-"])
    rows = [kept_runs.Algorithm(row["name"], frozenset(name for name, has in row["traits"].items() if has),
                                frozenset(parameter["name"] for parameter in row["parameters"]))
            for row in json.loads(out)["algorithms"] if not row["alias_of"]]
    return [row for row in rows if only in (None, row.name) and not row.has("on_device")]


def threads(world, arguments):
    """Every search, with every thread refused; with a small --count, with some of them."""
    refusals, choose = Refusals(world, arguments.library), random.Random(arguments.seed)
    for row in rows_of(world, arguments.only):
        searches = [Search(world, row)]
        if "ram" in row.parameters:
            searches.append(Search(world, row, extra=("--set", "ram=1")))
        for search in searches:
            for ring in (True, False) if row.has("on_disk") else (True,):
                calls = refusals.run(search, "thread", 1, 1, ring)
                numbers = range(1, calls + 1)
                for number in numbers if arguments.count >= ALL else choose.sample(numbers, min(2, calls)):
                    refusals.run(search, "thread", number, 1, ring)
                    refusals.run(search, "thread", number, FOR_EVER, ring)
    print(f"threads: {refusals.runs} runs, {refusals.ended} ended early")


def limited(world, arguments):
    """A user who may have but a few threads. The kernel cancels operations of io_uring for which it gets none."""
    if os.geteuid() != 0:
        print("limit: skipped: only root can take another user's place")
        return
    for name in ("", "cache", "temporary", "disk", "models"):
        (world.folder / name).chmod(0o777)
    cube = world.write("cube.m", kept_runs.CUBE)
    codes = []
    for algorithm, size, most in (("auto", 24, 3), ("part", 100, 6), ("part", 24, 3), ("hddd", 24, 5)):
        if arguments.only not in (None, algorithm):
            continue
        command = [world.strata, "check", cube, "--deadlock", "off", "-D", f"N={size}", "--algorithm", algorithm,
                   "--threads",
                   "4", "--memory", "16M", "--disk", world.folder / "disk", "--progress", "off"]
        # The first one compiles.
        for limit in (resource.getrlimit(resource.RLIMIT_NPROC)[0], most):
            process = subprocess.run(
                list(map(str, command)), user=OTHER, group=OTHER, extra_groups=[], capture_output=True, text=True,
                check=False, env=world.environment, timeout=SECONDS, stdin=subprocess.DEVNULL,
                preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit)))
        what = f"{algorithm}, {most} threads for the user"
        world.expect(process.returncode in (0, 153), f"{what}: exit code {process.returncode}: {process.stderr[-300:]}")
        world.expect("canceled" not in process.stderr and "bug in Strata" not in process.stderr,
                     f"{what}: {process.stderr[-300:]}")
        world.expect_clean(what)
        codes.append(process.returncode)
    print(f"limit: exit codes {codes}")


def others(world, arguments, kind):
    """A call of some search that fails, now and then all that come after it too."""
    refusals, choose = Refusals(world, arguments.library), random.Random(arguments.seed)
    rows = rows_of(world, arguments.only)
    known = {}
    while refusals.runs < arguments.count and len(world.problems) < 10:
        row, ring = choose.choice(rows), choose.random() < 0.7
        if row.name not in known:
            known[row.name] = Search(world, row)
        search = known[row.name]
        if (row.name, ring) not in known:
            known[row.name, ring] = refusals.run(search, kind, FOR_EVER, 1, ring)
        calls = known[row.name, ring]
        if calls > 0:
            refusals.run(search, kind, choose.randint(1, calls), choose.choice((1, 1, 3, FOR_EVER)), ring)
        elif len(rows) == 1:
            break
    print(f"{kind}: {refusals.runs} runs, {refusals.ended} ended early")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--kind", choices=("thread", "limit", *KINDS))
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="an algorithm")
    arguments = parser.parse_args()
    attacks = [("thread", lambda world: threads(world, arguments))]
    attacks += [("limit", lambda world: limited(world, arguments))]
    attacks += [(kind, lambda world, kind=kind: others(world, arguments, kind)) for kind in KINDS]
    return attack.in_world(arguments.strata, [row for row in attacks if arguments.kind in (None, row[0])])


if __name__ == "__main__":
    sys.exit(main())
