"""Ranks that are disturbed: those of mpirun, from its start to its end.

    python3 mpi.py --strata PATH [--mpirun NAME] [--count N] [--seed S] [--only KIND]

Ranks with different models, formulas or options; errors that end a run before it searches; checkpoints whose
folders are mixed; all ranks or one of them killed while they start; a run of one process that goes on with several
in little memory. Each must end soon: with the counts of an undisturbed run, or with one clear message; no
process is left, and no report says that it is still running. --count is the number of disturbances. A test that
needs MPI ends with 77 where there is none."""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cluster"))
import lost_ranks  # noqa: E402
import ranks  # noqa: E402

SMALL = """const N: 12; S: 0;
var a, b, c: 0..20;
startstate begin a := S; b := 0; c := 0; end;
rule "a" a < N ==> begin a := a + 1; end;
rule "b" b < N ==> begin b := b + 1; end;
rule "c" c < N ==> begin c := c + 1; end;
invariant "in bounds" a + b + c <= 60;
"""
SECONDS = 60


class Disturbance:
    def __init__(self, options, folder, number):
        self.options, self.folder = options, folder
        self.random = random.Random(options.seed * 10007 + number)
        self.count = self.random.randint(2, 4)
        self.problems = []
        self.launcher_hung = False

    def expect(self, holds, what):
        if not holds:
            self.problems.append(what)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, command, count=None, **variables):
        code, out, errors = ranks.run(self.options.mpirun, count or self.count, command, SECONDS, **variables)
        self.expect(code is not None, f"it does not end: {command}")
        self.expect("a bug in Strata" not in out + errors, f"{command}: {errors}")
        return code, out, errors

    def per_rank(self, script):
        """A command that differs from rank to rank: `r` is the rank."""
        path = self.write("rank.sh", f'r=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}\nS="{self.options.strata}"\n{script}\n')
        return ["/bin/sh", path]

    def expect_refused(self, code, errors, pattern):
        self.expect(code == 151, f"exit code {code} instead of 151: {errors}")
        said = re.findall(r"^strata: (?!note: |stopping; )(.*)$", errors, re.MULTILINE)
        self.expect(len(said) == 1 and re.search(pattern, said[0]), f"'{pattern}' is not what was said: {errors}")

    # ---- kinds

    def different_models(self):
        """One rank has another model, in a file of the same name."""
        victim = self.random.randrange(1, self.count)
        for rank in range(self.count):
            text = SMALL if rank != victim else SMALL.replace(*self.random.choice(
                [("a := a + 1", "a := a + 2"), ("N: 12", "N: 11"), ("<= 60", "<= 59"), ("b := 0; c", "b := 1; c")]))
            self.write(f"{rank}/model.m", text)
        more = self.random.choice(["", "--algorithm ram", "--fold on", "--json ../report.json"])
        code, _, errors = self.run(self.per_rank(f'cd {self.folder}/$r && exec "$S" check model.m --deadlock off '
                                                 f'--threads 1 {more}'))
        self.expect_refused(code, errors, rf"^rank 0 .* and rank {victim} .* differ in the model")
        self.expect_no_running(self.folder / "report.json")

    def same_models(self):
        """The same model under another path is the same."""
        for rank in range(self.count):
            self.write(f"{rank}/model.m", SMALL)
        report = self.folder / "report.json"
        code, _, errors = self.run(self.per_rank(
            f'cd {self.folder}/$r && exec "$S" check model.m --deadlock off --threads 1 --json {report}'))
        self.expect(code == 0 and json.loads(report.read_text())["states"] == 13 ** 3, f"exit code {code}: {errors}")

    def different_options(self):
        model = self.write("model.m", SMALL)
        code, _, errors = self.run(self.per_rank(f'exec "$S" check {model} --deadlock off --threads 1 -D S=$r'))
        self.expect_refused(code, errors, "differ in the (model|options)")

    def early_error(self):
        """What no rank can do: nothing says afterwards that the run is not done."""
        model = self.write("model.m", SMALL)
        reports = ["--json", self.folder / "r.json", "--report", self.folder / "r.html", "--junit",
                   self.folder / "r.xml"]
        more, pattern = self.random.choice([(["--algorithm", "part"], "cannot share this search"),
                                            (["--keep", self.folder / "kept"], "--keep"),
                                            (["--ltl", 'G F "a = 0"'], "without mpirun"),
                                            (["--set", "nonsense=3"], "no such parameter")])
        code, _, errors = self.run([self.options.strata, "check", model, "--threads", "1", *reports, *more])
        self.expect(code == 151 and re.search(pattern, errors), f"exit code {code}: {errors}")
        self.expect_no_running(self.folder / "r.json", self.folder / "r.html")

    def error_of_one(self):
        """The model of one rank is none."""
        victim = self.random.randrange(self.count)
        for rank in range(self.count):
            self.write(f"{rank}/model.m", SMALL if rank != victim else SMALL.replace("rule", "rul", 1))
        report = self.folder / "report.json"
        code, _, errors = self.run(self.per_rank(
            f'cd {self.folder}/$r && exec "$S" check model.m --deadlock off --threads 1 --json {report}'))
        self.expect(code not in (0, 153) and "model.m:4" in errors, f"exit code {code}: {errors}")
        self.expect_no_running(report)

    def killed_at_start(self):
        """All ranks, or one, get SIGKILL within the first moments."""
        model = self.write("model.m", lost_ranks.MODEL)
        process = ranks.start(self.options.mpirun, self.count,
                              [self.options.strata, "check", model, "--deadlock", "off", "--threads", "1", "--progress",
                               "off", "--memory", "64M"])
        begin = time.monotonic()
        while process.poll() is None and time.monotonic() < begin + 10 and not children_of(process.pid):
            time.sleep(0.001)
        time.sleep(self.random.choice([0, 0.004, 0.02, 0.1, 0.3, 0.8]) * self.random.random())
        victims = children_of(process.pid)
        for victim in victims if self.random.random() < 0.6 else victims[:1]:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            _, errors = process.communicate(timeout=30)
            self.expect("a bug in Strata" not in errors, errors)
        except subprocess.TimeoutExpired:
            # Open MPI's launcher may wait for itself when its ranks are gone (doc/cluster.md); ours must be gone.
            alive = [child for child in children_of(process.pid) if not is_zombie(child)]
            self.expect(not alive, f"ranks still run: {alive}")
            self.launcher_hung = True
            ranks.kill(process)
            process.communicate()
        left = lost_ranks.left_behind(process)
        self.expect(not left, f"processes are left: {left}")

    def mixed_folders(self):
        """The folder of one rank is that of another run, or of a copy of the run that went on by itself."""
        model = self.write("model.m", lost_ranks.MODEL)
        other = self.write("other.m", lost_ranks.MODEL.replace("b := 0", "b := 9"))
        usual = ["--deadlock", "off", "--threads", "1", "--progress", "off", "--memory", "64M", "--checkpoint-every",
                 "0.2s", "--time-limit", "0.6"]
        first, second = self.folder / "first", self.folder / "second"
        for path, run in ((model, first), (other, second)):
            self.run([self.options.strata, "check", path, *usual, "--checkpoint", run], 2)
        if self.random.random() < 0.5:
            shutil.rmtree(second)
            shutil.copytree(first, second)
            self.run([self.options.strata, "resume", second, "--progress", "off", "--time-limit", "0.6"], 2)
        rank = f"part.1/rank.{self.random.randrange(2)}.of.2"
        if not (first / rank).exists() or not (second / rank).exists():
            return
        shutil.rmtree(first / rank)
        shutil.copytree(second / rank, first / rank)
        # A copy that has made no checkpoint since is still the same; its numbers are those of the other rank.
        report = self.folder / "same.json"
        code, out, errors = self.run([self.options.strata, "resume", first, "--progress", "off", "--time-limit", "0.1",
                                      "--json", report], self.random.choice([1, 2, 3]))
        said = re.findall(r"^strata: (?!note: |stopping; )(.*)$", errors, re.MULTILINE)
        same = code == 152 and json.loads(report.read_text())["reason"] == "time"
        begun_anew = "starts from the beginning" in out
        refused = code == 151 and len(said) == 1
        self.expect((refused and re.search("two different runs|were not made together", said[0])) or
                    (same and begun_anew), f"{rank} of another run was taken: {code} {out[-500:]}{errors}")

    def little_memory(self):
        """A run of one process goes on with several ranks, of which some have no room to begin."""
        model = self.write("model.m", lost_ranks.MODEL)
        run = self.folder / "run"
        subprocess.run([self.options.strata, "check", model, "--deadlock", "off", "--threads", "1", "--progress", "off",
                        "--memory", "128M", "--checkpoint", run, "--checkpoint-every", "0.2s", "--time-limit", "0.8"],
                       capture_output=True, check=False)
        memory = self.random.choice(["16M", "18M", "20M", "22M", "24M"])
        code, out, errors = self.run([self.options.strata, "resume", run, "--progress", "off", "--memory", memory])
        self.expect(code in (0, 151, 152) and (code == 0) != run.exists(),
                    f"{memory}: exit code {code}: {out[-500:]}{errors}")

    def expect_no_running(self, *reports):
        for report in reports:
            text = report.read_text(encoding="utf-8", errors="replace") if report.exists() else ""
            self.expect('"verdict": "running"' not in text and "is not done" not in text,
                        f"{report.name} says that the run is not done")


KINDS = ("different_models", "same_models", "different_options", "early_error", "error_of_one", "killed_at_start",
         "mixed_folders", "little_memory")


def children_of(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
    except OSError:
        pass
    return found


def is_zombie(pid):
    try:
        return "\nState:\tZ" in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", type=pathlib.Path, required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a kind: " + ", ".join(KINDS))
    options = parser.parse_args()
    options.strata = options.strata.resolve()
    ranks.need_mpi(options.mpirun, options.strata, options.strata.parent / "libstrata_mpi.so")
    kinds = [kind for kind in KINDS if options.only in kind]
    problems, hung = [], 0
    for number in range(options.count):
        kind = kinds[number % len(kinds)]
        with tempfile.TemporaryDirectory(prefix="strata-mpi-") as folder:
            disturbance = Disturbance(options, pathlib.Path(folder), number)
            getattr(disturbance, kind)()
        hung += disturbance.launcher_hung
        for problem in disturbance.problems:
            problems.append(f"{kind} (number {number} of --seed {options.seed}): {problem}")
            print(f"FAILED {problems[-1]}", flush=True)
    print(f"{len(problems)} problem(s) in {options.count} disturbances; the launcher itself hung {hung} times")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
