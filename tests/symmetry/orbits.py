"""Symmetry reduction against brute force, on random programs.

    python3 orbits.py --strata PATH --reference PATH --count 12 --seed 1 [--all] [--keep DIR]

Each program of symmetric_generator.py goes through orbit_reference, which knows the orbits because it tries all
permutations. Then Strata checks it with and without symmetry: the answers must be the same, a complete search must
find as many states as there are orbits and tell how many there are without symmetry, and a search that goes level
by level must find a counterexample of the same length. Strata replays each counterexample on the model as it is,
and ends with an internal error if the program cannot make the run. Without --all, two algorithms in turn search each
program; with it, all of them. Some searches also check a formula or a liveness property.

By default a search reduces the scalarsets that are proved to be symmetric, and must give the same answer.

Programs that break their symmetry (asymmetric_programs.py) are searched as they are, with a note that names the
scalarset; where the user trusts them, the search finds the rule and ends with an error.

A failure is reported with the commands to run it again. Its program is kept, and a small one that still fails
(tests/differential/shrink_text.py).
Exit code: 0 all is as it should be, 1 something is not.
"""

import argparse
import copy
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

for neighbour in ("models", "differential"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / neighbour))

import asymmetric_programs  # noqa: E402
import shrink_text  # noqa: E402
import strata_run  # noqa: E402
import symmetric_generator  # noqa: E402

TOO_MANY = 3  # the exit code of orbit_reference
COMPLETE = ("holds", "cover")
FORMULAS = ['G F "{0}"', 'F G "{0}"', 'G ("{0}" -> F "{1}")', '"{0}" U "{1}"', 'G "{0}" | F "{1}"', 'AG EF "{0}"',
            '! G F "{0}"', 'G "{0}"', 'EF "{0}"', 'G ("{0}" -> X "{1}")']


def searches(strata):
    """Each search for errors: its name with its options, and its traits."""
    for row in strata_run.algorithms(strata, "errors"):
        traits = {name for name, holds in row["traits"].items() if holds}
        yield [row["name"]], traits
        if row["name"] == "auto":
            yield ["auto", "--set", "ram=0", "--set", "levels=exact"], traits | {"level_by_level"}


class Case:
    """One program under all that is asked of it."""

    def __init__(self, seed, path, driver):
        self.seed = seed
        self.path = path
        self.driver = driver
        self.problems = []
        self.discarded = False
        self.kind = ""
        self.states = self.orbits = 0
        self.proved = False
        text, self.conditions = symmetric_generator.generate(seed)
        path.write_text(text, encoding="utf-8")
        self.deadlock = re.match(r"-- deadlock: (\w+)", text).group(1)
        self.turn = seed % (2 * len(driver.searches))

    def run(self):
        if self.reference():
            self.compare_searches()
            if self.kind in COMPLETE and (self.driver.everything or self.seed % 3 == 1):
                self.compare_formulas()
            if self.kind in COMPLETE and (self.driver.everything or self.seed % 3 == 2):
                self.compare_liveness()
        return self

    def keep_smallest(self):
        """Shrinks the program; what is wrong first, and the answer without symmetry, stay."""
        wrong = self.problems[0].split(":")[0]

        def differs(path):
            other = copy.copy(self)
            other.path, other.problems, other.kind, other.discarded = path, [], "", False
            other.run()
            return other.kind == self.kind and any(problem.split(":")[0] == wrong for problem in other.problems)

        if not wrong.startswith("$"):
            self.problems.append(shrink_text.keep_smallest(self.path, differs))

    def reference(self, options=()):
        """Runs orbit_reference; whether the program is one to go on with."""
        command = [self.driver.reference, *options, "--states", str(self.driver.limit), str(self.path)]
        try:
            process = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False,
                                     env=self.driver.environment)
        except subprocess.TimeoutExpired:
            self.problems.append(f"$ {' '.join(command)}\ndid not end within 600 s")
            return False
        if process.returncode == TOO_MANY:
            self.discarded = True
            return False
        found = re.search(r"^(\d+) states, (\d+) orbits$", process.stdout, re.MULTILINE)
        if process.returncode != 0 or not found:
            self.problems.append(f"$ {' '.join(command)}\nexit {process.returncode}\n{process.stdout}{process.stderr}")
            return False
        self.states, self.orbits = int(found.group(1)), int(found.group(2))
        return True

    def check(self, options, algorithm="ram", path=None):
        return strata_run.check(self.driver.strata, path or self.path, ["--deadlock", self.deadlock, *options],
                                environment=self.driver.environment, algorithm=algorithm)

    def expect(self, what, run, found, expected):
        if found != expected:
            self.problems.append(f"{what}: {found}, expected {expected}\n{run.text()}")

    # -- errors ------------------------------------------------------------------------------------------------------

    def compare_searches(self):
        plain = self.check(["--symmetry", "off"])
        self.kind = plain.answer()
        if self.kind in COMPLETE:
            self.expect("states without symmetry", plain, plain.count("states"), self.states)
        drawn = self.driver.searches
        if not self.driver.everything:
            drawn = [drawn[(self.turn + k * 3) % len(drawn)] for k in range(2)]
        for number, (words, traits) in enumerate(drawn):
            self.compare_search(plain, words, traits, self.turn + number)

    def compare_search(self, plain, words, traits, turn):
        options = [*words[1:], "--memory", "16M", "--threads", str(1 + turn % 2), "--symmetry", "exact"]
        if "signatures" in traits:
            options += ["--store", ("states", "signatures")[turn // 2 % 2]]
        run = self.check(options, words[0])
        answer = run.answer()
        if self.kind in COMPLETE:
            self.expect("answer", run, answer, self.kind)
            self.expect("states", run, run.count("states"), self.orbits)
            symmetry = (run.report or {}).get("symmetry", {})
            self.expect("orbit_states", run, symmetry.get("orbit_states", self.states), self.states)
            self.proved = symmetry.get("proved", False)
            if not self.proved:
                default = self.check(words[1:], words[0])
                self.expect("answer by default", default, default.answer(), self.kind)
        elif "level_by_level" in traits:
            self.expect("answer", run, answer, self.kind)
            self.expect("length of the counterexample", run, run.length(), plain.length())
        elif answer in ("broken", "rejected", "usage", "incomplete", *COMPLETE):
            self.problems.append(f"answer: {answer}, expected an error like {self.kind}\n{run.text()}")

    # -- cycles ------------------------------------------------------------------------------------------------------

    def compare_formulas(self):
        drawn = [FORMULAS[self.seed // 3 % len(FORMULAS)]]
        if self.driver.everything:
            drawn.append(FORMULAS[(self.seed + 5) % len(FORMULAS)])
        for formula in drawn:
            asked = ["--ltl", formula.format(*self.conditions)]
            plain = self.check([*asked, "--symmetry", "off"], "auto")
            algorithms = ["auto"]
            if self.driver.everything and " EF" not in formula and not formula.startswith(("EF", 'G "{0}"')):
                algorithms.append(self.driver.cycles[self.seed % len(self.driver.cycles)])
            for algorithm in algorithms:
                run = self.check([*asked, "--memory", "16M"], algorithm)
                self.expect("answer to the formula", run, run.answer(), plain.answer())

    def compare_liveness(self):
        """A property that each state can reach, for one condition and for one of each element."""
        path = self.path.with_suffix(".liveness.m")
        text = self.path.read_text(encoding="utf-8")
        path.write_text(f'{text}\nliveness "reachable" {self.conditions[0]};\n', encoding="utf-8")
        plain = self.check(["--symmetry", "off"], path=path)
        for options in ([], ["--set", "ram=0"]):
            run = self.check([*options, "--memory", "16M"], "auto", path)
            self.expect("answer with a liveness property", run, run.answer(), plain.answer())
            if plain.answer() == "liveness":
                self.expect("length of the counterexample", run, run.length(), plain.length())
        if not self.problems:
            path.unlink()


class AsymmetricCase:
    """A program that breaks its symmetry."""

    def __init__(self, seed, path, driver):
        self.seed, self.path, self.driver = seed, path, driver
        self.problems = []
        text, self.scalarset, self.rule, self.shown = asymmetric_programs.asymmetric(seed)
        path.write_text(text, encoding="utf-8")

    def check(self, options):
        return strata_run.check(self.driver.strata, self.path, [*options, "--deadlock", "off"],
                                environment=self.driver.environment)

    def run(self):
        plain, default = self.check(["--symmetry", "off"]), self.check([])
        if default.count("states") != plain.count("states") or f"{self.scalarset} is not reduced" not in default.stderr:
            self.problems.append(f"expected the search without symmetry and a note\n{default.text()}\n{plain.text()}")
        trusted = self.check(["--symmetry", "exact"])
        said = (trusted.stderr + trusted.stdout).replace('\\"', '"')
        if self.shown:
            if trusted.count("states") != plain.count("states"):
                self.problems.append(f"expected the search without symmetry\n{trusted.text()}")
        elif trusted.exit_code == plain.exit_code and trusted.answer() == plain.answer():
            pass  # which element is taken does not matter where they all are alike
        elif trusted.exit_code != 150 or not all(word in said for word in (self.scalarset, f'"{self.rule}"')):
            self.problems.append(f"expected exit code 150 and a message with {self.scalarset} and {self.rule}\n"
                                 f"{trusted.text()}")
        return self


class Driver:
    """What all cases share."""

    def __init__(self, arguments, folder):
        self.strata, self.reference = arguments.strata, arguments.reference
        self.everything = arguments.all
        self.limit = arguments.states
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
        self.searches = list(searches(self.strata))
        self.cycles = [row["name"] for row in strata_run.algorithms(self.strata, "cycles")]
        self.folder = pathlib.Path(folder)

    def symmetric(self, seed):
        return Case(seed, self.folder / f"seed-{seed}.m", self)

    def asymmetric(self, seed):
        return AsymmetricCase(seed, self.folder / f"asymmetric-{seed}.m", self)


def summarise(arguments, cases, broken):
    for case in (*cases, *broken):
        for problem in case.problems:
            print(f"FAILED {case.path.name}: {problem}\n"
                  f"  again: python3 {sys.argv[0]} --strata {arguments.strata} --reference {arguments.reference} "
                  f"--count 1 --seed {case.seed}{' --all' if arguments.all else ''}\n")
    used = [case for case in cases if not case.discarded]
    kinds = {}
    for case in used:
        kinds[case.kind or "none"] = kinds.get(case.kind or "none", 0) + 1
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    failed = sum(1 for case in (*cases, *broken) if case.problems)
    print(f"{len(used)} programs ({told}), {len(cases) - len(used)} too large; "
          f"{sum(c.states for c in used)} states in {sum(c.orbits for c in used)} orbits; "
          f"{sum(c.proved for c in used)} complete searches by a symmetry that is proved; "
          f"{len(broken)} programs without symmetry; {failed} failed")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=20000, help="programs with more states are not used")
    parser.add_argument("--all", action="store_true", help="all algorithms on each program")
    parser.add_argument("--keep", help="keep all programs in this folder; otherwise only those that fail")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    folder = arguments.keep or tempfile.mkdtemp(prefix="strata-symmetry-")
    os.makedirs(folder, exist_ok=True)
    driver = Driver(arguments, folder)
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    cases = [driver.symmetric(seed) for seed in seeds]
    broken = [driver.asymmetric(seed) for seed in seeds[:max(len(seeds) // 2, 7)]]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(lambda case: case.run(), [*cases, *broken]))
    for case in [case for case in cases if case.problems][:3]:
        case.keep_smallest()
    failed = summarise(arguments, cases, broken)
    if not arguments.keep and not failed:
        shutil.rmtree(folder)
    elif not arguments.keep:
        for case in (*cases, *broken):
            if not case.problems:
                case.path.unlink()
        shutil.rmtree(driver.environment["XDG_CACHE_HOME"], ignore_errors=True)
        print(f"kept: {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
