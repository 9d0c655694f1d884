"""Searches by several ranks under mpirun, against `ram` in one process.

    python3 searches.py --strata PATH [--mpirun NAME] [--long]

All examples: the same verdict, exit code, counts, levels and counterexample, on 1 to 4 ranks (and 8 with --long,
where the models of ../shared/models up to a million states are searched, too), in RAM, with files, and folded. What
ranks cannot do together is refused with a reason, once."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import ranks

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "models"
MOST_STATES = 1_000_000
COMPARED = ("verdict", "states", "transitions", "depth", "levels", "counterexample", "errors", "coverage", "covers")
# How several ranks search, each model in one of these ways.
# A process holds some 20 MiB with Open MPI, and each search of a run needs as much again, or half with folding.
WAYS = ((), ("--memory", "64M", "--set", "ram=0"), ("--fold", "on", "--memory", "128M"))


class Searches:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.problems = []
        self.runs = 0

    def expect(self, holds, what):
        if not holds:
            self.problems.append(what)

    def report(self, name):
        try:
            return json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def alone(self, model, arguments):
        """Exit code and report of one process; None: this model is not for several."""
        (self.folder / "alone.json").unlink(missing_ok=True)
        done = subprocess.run([self.options.strata, "check", model, "--safety", "--algorithm", "ram", "--threads", "1",
                               "--progress", "off", "--json", self.folder / "alone.json", "--time-limit", "60",
                               *arguments], capture_output=True, check=False)
        report = self.report("alone.json")
        if report is None or report.get("stop") not in (None, "none", "") or report["states"] > MOST_STATES:
            return None
        return done.returncode, report

    def together(self, count, model, arguments):
        (self.folder / "together.json").unlink(missing_ok=True)
        disks = ["--disk", self.folder / "disk-%r-%h"] if count > 1 else []
        code, out, errors = ranks.run(self.options.mpirun, count, [
            self.options.strata, "check", model, "--safety", "--threads", "1", "--progress", "off", "--json",
            self.folder / "together.json", *disks, *arguments])
        made = sorted(folder.name for folder in self.folder.glob("disk-*"))
        self.expect(not disks or len([name for name in made if name.startswith(f"disk-{count - 1}-")]) == 1,
                    f"{count} ranks, {model}: the folders are {made}")
        return code, out, errors, self.report("together.json")

    def compare(self, count, model, arguments, expected):
        code, out, errors, report = self.together(count, model, arguments)
        case = f"{count} ranks, {model} {' '.join(arguments)}"
        if report is None:
            self.expect(False, f"{case}: no report, exit code {code}\n{out[-500:]}{errors[-500:]}")
            return
        self.runs += 1
        self.expect(code == expected[0], f"{case}: exit code {code} instead of {expected[0]}\n{errors[-500:]}")
        for name in COMPARED:
            self.expect(report.get(name) == expected[1].get(name),
                        f"{case}: {name} is {str(report.get(name))[:300]}\ninstead of "
                        f"{str(expected[1].get(name))[:300]}")
        if count > 1:
            cluster = report.get("cluster", {})
            self.expect(cluster.get("ranks") == count, f"{case}: {cluster.get('ranks')} ranks in the report")
            self.expect(sum(rank["states"] for rank in cluster.get("per_rank", [])) == report["states"],
                        f"{case}: the states of the ranks do not add up")


def is_for_several(model):
    """Searches for cycles, and liveness properties, are not."""
    text = model.read_text(encoding="utf-8", errors="replace")
    return not (model.suffix == ".dve" and "property" in text) and "liveness" not in text


def search_models(searches, models, counts):
    for number, model in enumerate(models):
        if not is_for_several(model):
            continue
        way = WAYS[number % len(WAYS)]
        expected = searches.alone(model, [])
        if expected is None:
            continue
        for count in counts if searches.options.long else [counts[number % len(counts)]]:
            searches.compare(count, model, list(way), expected)


def refusals(searches):
    """Said once, by rank 0, whatever the number of ranks."""
    peterson = ROOT / "examples" / "peterson.m"
    cases = [(["--ltl", 'G F "pc[0] = Critical"'], 151, "several processes"),
             (["--algorithm", "part"], 151, "several processes"),
             (["--keep", searches.folder / "kept"], 151, "--keep"),
             (["--set", "levels=free"], 151, "levels"),
             (["--nonsense"], 151, "--nonsense")]
    for arguments, expected, text in cases:
        code, _, errors, _ = searches.together(3, peterson, arguments)
        said = [line for line in errors.splitlines() if re.match(r"strata: (?!stopping; )", line)]
        searches.expect(code == expected and len(said) == 1 and text in said[0],
                        f"{arguments}: exit code {code}, said {said}")
    broken = searches.folder / "broken.m"
    broken.write_text("var x: 0..1;\nstartstate begin x := 0; end;\nrule begin x := y; end;\n", encoding="utf-8")
    code, _, errors, _ = searches.together(2, broken, [])
    searches.expect(code == 150 and errors.count("broken.m:3") == 1, f"broken.m: exit code {code}\n{errors}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", type=pathlib.Path, required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    ranks.need_mpi(options.mpirun, options.strata, options.strata.parent / "libstrata_mpi.so")
    with tempfile.TemporaryDirectory() as folder:
        searches = Searches(options, pathlib.Path(folder))
        models = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in (".m", ".dve"))
        search_models(searches, models, (1, 2, 3, 4, 8) if options.long else (2, 3, 4))
        refusals(searches)
        if options.long and SHARED.exists():
            search_models(searches, sorted([*SHARED.rglob("*.m"), *SHARED.rglob("*.dve")]), (2, 4))
        elif options.long:
            print(f"skipped: there is no {SHARED}")
    for problem in searches.problems:
        print(problem)
    print(f"{len(searches.problems)} problem(s) in {searches.runs} runs of several ranks")
    return 1 if searches.problems or searches.runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
