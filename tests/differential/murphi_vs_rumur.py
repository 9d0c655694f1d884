"""Compares Strata with rumur on random Murphi programs and on given models.

    python3 murphi_vs_rumur.py --strata PATH --count 30 --seed 1 [--keep DIR] [--examples DIR ...]

For each program the class of the verdict must be the same, and where the whole state space is explored the number
of states, the number of rules fired and the covers missed. Where there are errors, Strata's counterexample must be
as long as the shortest error that rumur finds, and be of a class that rumur finds at that length.

Every third program is one of tests/symmetry that treats the values of its scalarsets alike, and is compared with
symmetry reduction: Strata's exact one and rumur's exhaustive one both keep one state of each orbit. So is each
given model that has scalarsets.

A difference is reported with its seed, both answers and the command to run it again. The program is kept, and a small
one that still differs (shrink_text.py). Exit code: 0 all equal, 1 a difference, 77 rumur is not installed (ctest:
skipped).
"""

import argparse
import copy
import os
import pathlib
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

for neighbour in ("models", "symmetry"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / neighbour))

import murphi_generator  # noqa: E402
import rumur_peer  # noqa: E402
import shrink_text  # noqa: E402
import strata_run  # noqa: E402
import symmetric_generator  # noqa: E402

# What rumur cannot do with a model that is not generated: language it lacks, and a while loop that never ends.
UNSUPPORTED = re.compile(r"union types are not supported|real types are not supported|syntax error|"
                         r"unexpected character|did not end within")


class Comparison:
    """One model under both tools."""

    def __init__(self, name, path, options, deadlock, rerun, symmetry=False):
        self.name = name + (" with symmetry" if symmetry else "")
        self.path = path
        self.options = options  # of Strata
        self.deadlock = deadlock
        self.rerun = rerun
        self.symmetry = symmetry
        self.differences = []
        self.skipped = ""
        self.kind = ""  # the class of rumur's answer
        self.rumur = self.strata = None

    def run(self, strata, folder, environment, may_skip):
        self.rumur = rumur_peer.check(self.path, folder, self.deadlock, timeout=30 if may_skip else 120,
                                      symmetry="exhaustive" if self.symmetry else "off")
        if self.rumur.problem and may_skip and UNSUPPORTED.search(self.rumur.problem):
            self.skipped = self.rumur.problem.strip().splitlines()[0]
            return self
        if self.rumur.problem:
            self.differences.append(self.rumur.problem)
            return self
        options = ["--deadlock", self.deadlock, "--undefined", "strict", *self.options]
        options += ["--symmetry", "exact" if self.symmetry else "off"]
        self.strata = strata_run.check(strata, self.path, options, environment=environment)
        if self.symmetry and may_skip and "is not symmetric" in self.strata.stderr:
            self.skipped = self.strata.stderr.strip().splitlines()[-1]
            return self
        self.compare()
        return self

    def compare(self):
        answer = self.strata.answer()
        if self.rumur.errors:
            self.kind = self.rumur.errors[0][0]
            self.compare_errors(answer)
            return
        if self.rumur.states == 0:  # no start state is left: nothing to Rumur, an error to Strata
            self.kind = "error"
            self.expect("answer", answer, self.kind)
            return
        self.kind = "cover" if self.rumur.missed_covers else "holds"
        self.expect("answer", answer, self.kind)
        self.expect("states", self.strata.count("states"), self.rumur.states)
        self.expect("rules fired", self.strata.count("transitions"), self.rumur.rules)
        self.expect("covers missed", self.strata.missed_covers(), self.rumur.missed_covers)

    def compare_errors(self, answer):
        length, kinds = self.rumur.shortest()
        if answer not in kinds and not (self.rumur.truncated() and answer in ("deadlock", "invariant")):
            self.differences.append(f"answer: strata {answer}, rumur {' or '.join(sorted(kinds))}")
        found = self.strata.length()
        # An error in a start state's own code is a path without a state.
        if found is None and length == 0 and self.strata.report is not None:
            return
        if self.rumur.truncated() and found is not None and found <= length:
            return
        self.expect("length of the counterexample", found, length)

    def expect(self, what, strata, rumur):
        if strata != rumur:
            self.differences.append(f"{what}: strata {strata}, rumur {rumur}")

    def what_differs(self):
        return {difference.split(":")[0] for difference in self.differences} if not self.rumur.problem else set()

    def keep_smallest(self, strata, folder, environment):
        """Shrinks a generated program whose answers differ; what differs, and the class of the answer, stay."""
        def differs(path):
            other = copy.copy(self)
            other.path, other.differences = str(path), []
            other.run(strata, folder, environment, may_skip=False)
            return bool(other.what_differs() & self.what_differs()) and other.strata.answer() == self.strata.answer()

        if self.strata is None or not self.what_differs():
            return ""
        return shrink_text.keep_smallest(pathlib.Path(self.path), differs)

    def report(self):
        """The text of a difference."""
        lines = [f"DIFFERENCE in {self.name}", f"  program: {self.path}", f"  again:   {self.rerun}"]
        lines += [f"  {difference}" for difference in self.differences]
        if self.strata is not None:
            lines += ["--- strata", self.strata.text(), "--- rumur"]
            lines += [f"{self.rumur.states} states, {self.rumur.rules} rules fired"]
            lines += [f"{kind}, length {length}: {message}" for kind, length, message in self.rumur.errors[:5]]
            lines += [self.rumur.text]
        return "\n".join(lines)


def strata_options(number):
    """One or two threads in turn; every third program in 32 MiB."""
    return ["--threads", str(1 + number % 2)] + (["--memory", "32M"] if number % 3 == 0 else [])


def deadlock_mode(text):
    match = re.match(r"-- deadlock: (\w+)", text)
    return match.group(1) if match else "stuttering"


def random_comparisons(arguments, folder):
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        symmetry = seed % 3 == 0
        text = symmetric_generator.generate_for_rumur(seed) if symmetry else murphi_generator.generate(seed)
        path = os.path.join(folder, f"seed-{seed}.m")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        rerun = f"python3 {sys.argv[0]} --strata {arguments.strata} --count 1 --seed {seed}"
        yield Comparison(f"seed {seed}", path, strata_options(seed), deadlock_mode(text), rerun, symmetry)


def example_comparisons(arguments):
    for folder in arguments.examples:
        for number, path in enumerate(sorted(pathlib.Path(folder).rglob("*.m"))):
            text = path.read_text(encoding="utf-8", errors="replace")
            if re.search(r"^-- expect: rejected", text, re.MULTILINE):
                continue
            extra = re.search(r"^-- args: (.*)$", text, re.MULTILINE)
            if extra and "-D" in extra.group(1).split():
                print(f"skipped: {path}: rumur cannot override a constant")
                continue
            rerun = f"python3 {sys.argv[0]} --strata {arguments.strata} --count 0 --examples {folder}"
            for symmetry in (False, True) if re.search(r"\bscalarset\b", text, re.IGNORECASE) else (False,):
                yield Comparison(str(path), str(path), strata_options(number), deadlock_of_args(extra), rerun, symmetry)


def deadlock_of_args(extra):
    match = re.search(r"--deadlock[ =](\w+)", extra.group(1)) if extra else None
    return match.group(1) if match else "stuttering"


def work(arguments, folder):
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    jobs = [(c, False) for c in random_comparisons(arguments, folder)]
    jobs += [(c, True) for c in example_comparisons(arguments)]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = pool.map(lambda job: job[0].run(arguments.strata, folder, environment, job[1]), jobs)
        comparisons = list(done)
    generated = [c for c in comparisons if c.differences and c.path.startswith(folder)]
    for comparison in generated[:3]:
        told = comparison.keep_smallest(arguments.strata, folder, environment)
        comparison.differences += [told] if told else []
    return comparisons


def summarise(comparisons):
    kinds = {}
    for comparison in comparisons:
        if comparison.skipped:
            print(f"skipped: {comparison.name}: {comparison.skipped}")
        elif comparison.differences:
            print(comparison.report())
        kinds[comparison.kind or "none"] = kinds.get(comparison.kind or "none", 0) + 1
    skipped = sum(1 for c in comparisons if c.skipped)
    bad = sum(1 for c in comparisons if c.differences)
    complete = kinds.get("holds", 0) + kinds.get("cover", 0)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{len(comparisons)} models ({told}): {complete} explored completely, "
          f"{len(comparisons) - complete - skipped} with errors, {skipped} skipped; {bad} differences")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="keep all programs in this folder; otherwise only those that differ")
    parser.add_argument("--examples", nargs="*", default=[], help="folders with models to compare too")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if not rumur_peer.installed():
        print("skipped: rumur is not installed (Debian package rumur)")
        return 77
    folder = arguments.keep or tempfile.mkdtemp(prefix="strata-differential-")
    os.makedirs(folder, exist_ok=True)
    comparisons = work(arguments, folder)
    bad = summarise(comparisons)
    if not arguments.keep and not bad:
        shutil.rmtree(folder)
    elif not arguments.keep:
        remove_equal(comparisons, folder)
    return 1 if bad else 0


def remove_equal(comparisons, folder):
    """Keeps only the generated programs that differ."""
    for comparison in comparisons:
        if not comparison.differences and comparison.path.startswith(folder):
            os.remove(comparison.path)
    print(f"kept: {folder}")


if __name__ == "__main__":
    sys.exit(main())
