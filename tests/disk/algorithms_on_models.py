"""Every search on disk on models that state their expectation in their first lines (see run_models.py), with 16 MiB
of memory.

    python3 algorithms_on_models.py --strata PATH MODEL_OR_FOLDER...

The answer must be the expected one, and so must the number of states and, for searches that expand each state once,
of rules fired; searches that go level by level must find a counterexample of the expected length. States are kept
exactly and as signatures in turn. Each model runs with every third search, the next with the ones after these, or
with --all with each of them."""

import argparse
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "models"))
import run_models  # noqa: E402
import strata_run  # noqa: E402

# What an algorithm is given besides its name, where it would stay in memory otherwise; with the traits that this adds.
SETTINGS = {"auto": [("--set ram=0", set()), ("--set ram=0 --set levels=exact", {"level_by_level"})]}


def searches(strata):
    """Each search on disk, with its options, and its traits."""
    for row in strata_run.algorithms(strata, "errors"):
        traits = {name for name, holds in row["traits"].items() if holds}
        if "on_disk" in traits:
            for options, added in SETTINGS.get(row["name"], [("", set())]):
                yield [row["name"], *options.split()], traits | added


def check(strata, algorithms, expected, number):
    """The problems of one model, with all algorithms."""
    for turn, (words, traits) in algorithms:
        algorithm, by_level, once = " ".join(words), "level_by_level" in traits, "revisits" not in traits
        store = ("states", "signatures")[(number + turn) % 2]
        fold = ("off", "on")[(number + turn) // 2 % 2]
        # With symmetry where it is known what comes of it.
        reduced = expected.orbits is not None
        symmetry = [] if reduced or not expected.symmetric else ["--symmetry", "off"]
        states = expected.orbits if reduced else expected.states
        command = [strata, "check", str(expected.path), "--algorithm", *words, "--store", store, "--fold", fold,
                   "--memory", "16M", "--threads", "2", "--progress", "off", "--json", "-", *symmetry,
                   *expected.arguments]
        run = strata_run.run(command, 300)
        where = f"{expected.path}, {algorithm}, {store}, fold {fold}"
        several = "--max-errors" in expected.arguments
        if run.answer() != expected.answer and not (several or expected.answer == "invariant" and not by_level):
            yield f"{where}: {run.answer()}, expected {expected.answer}\n{run.text()}"
        whole = expected.answer in ("holds", "cover")
        if whole and states is not None and run.count("states") != states:
            yield f"{where}: {run.count('states')} states, expected {states}"
        if whole and once and not reduced and expected.rules is not None and run.count("transitions") != expected.rules:
            yield f"{where}: {run.count('transitions')} rules fired, expected {expected.rules}"
        if by_level and expected.trace is not None and (run.length() or 0) != expected.trace:
            yield f"{where}: a counterexample of length {run.length()}, expected {expected.trace}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--all", action="store_true", help="all searches on each model")
    parser.add_argument("models", nargs="+", help="models, or folders with models")
    arguments = parser.parse_args()
    models = [run_models.Expectation(path) for path in run_models.find_models(arguments.models)]
    # A bound or a memory limit of its own makes a model say something else here, and a property process makes
    # `auto` look for cycles.
    models = [model for model in models
              if model.answer not in ("rejected", "incomplete") and "--bound" not in model.arguments
              and "--memory" not in model.arguments and "--algorithm" not in model.arguments
              and not re.search(r"\bsystem\s+async\s+property\b", model.path.read_text())]
    algorithms = list(enumerate(searches(arguments.strata)))
    step = 1 if arguments.all else 3
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda pair: list(check(arguments.strata, algorithms[pair[0] % step::step], pair[1], pair[0])),
                         enumerate(models))
        problems = [problem for part in found for problem in part]
    print("\n".join(problems))
    print(f"{len(models)} models, {len(algorithms)} searches, {len(problems)} problems")
    return 1 if problems or not models or not algorithms else 0


if __name__ == "__main__":
    sys.exit(main())
