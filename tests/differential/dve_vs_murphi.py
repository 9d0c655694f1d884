"""Compares the DVE front end with the Murphi one on random systems that are written in both languages.

    python3 dve_vs_murphi.py --strata PATH --count 20 --seed 1 [--keep DIR]

States, transitions and the sizes of all levels must be the same. A difference is reported with its seed; both models
and the smallest system that still differs are kept. Exit code: 0 all equal, 1 a difference.
"""

import argparse
import copy
import os
import pathlib
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "models"))

import dve_generator  # noqa: E402
import shrink_text  # noqa: E402
import strata_run  # noqa: E402


def compare(strata, seed, folder):
    """(what differs or an empty text, number of states)"""
    return compare_system(strata, dve_generator.System(seed), seed, folder)


def parts(system):
    """What can be dropped of a system: steps, and of each its guard, channel and effects; committed states."""
    for i, step in enumerate(system.steps):
        yield "step", i, 0
        yield from (("guard", i, 0) for _ in range(step.guard is not None))
        yield from (("sync", i, 0) for _ in range(step.sync is not None))
        yield from (("effect", i, k) for k in range(len(step.effects)))
    for process, states in enumerate(system.committed):
        yield from (("committed", process, state) for state in sorted(states))


def with_parts(system, kept):
    """A copy of a system with only these of its parts."""
    kept = set(kept)
    result = copy.deepcopy(system)
    result.steps = []
    for i, step in enumerate(copy.deepcopy(system.steps)):
        if ("step", i, 0) not in kept:
            continue
        step.guard = step.guard if ("guard", i, 0) in kept else None
        step.sync = step.sync if ("sync", i, 0) in kept else None
        step.effects = [effect for k, effect in enumerate(step.effects) if ("effect", i, k) in kept]
        result.steps.append(step)
    result.committed = [{state for state in states if ("committed", process, state) in kept}
                        for process, states in enumerate(system.committed)]
    return result


def shrink(system, differs, seconds=120):
    """The smallest system that was found within the time for which differs(system) is true."""
    kept = shrink_text.drop(list(parts(system)), lambda fewer: differs(with_parts(system, fewer)),
                            time.monotonic() + seconds)
    return with_parts(system, kept)


def keep_smallest(strata, seed, wrong, folder):
    """Shrinks the system of a seed; the models of the small one are kept. What differs must stay the same."""
    def what(told):
        return told.split(":")[1:2] if "says" not in told else told.split()[2:5]

    def differs(system):
        return what(compare_system(strata, system, f"{seed}_small", folder)[0]) == what(wrong)

    system = dve_generator.System(seed)
    if not differs(system):
        return "the difference does not occur again"
    small = shrink(system, differs)
    differs(small)  # writes its models
    return f"smallest: system_{seed}_small with {len(small.steps)} steps instead of {len(system.steps)}"


def compare_system(strata, system, seed, folder):
    paths = {"DVE": folder / f"system_{seed}.dve", "Murphi": folder / f"system_{seed}.m"}
    paths["DVE"].write_text(system.dve(), encoding="utf-8")
    paths["Murphi"].write_text(system.murphi(), encoding="utf-8")
    runs = {name: strata_run.check(strata, path, ["--deadlock", "off"]) for name, path in paths.items()}
    for name, run in runs.items():
        if run.answer() != "holds":
            return f"seed {seed}: {name} says {run.answer()}\n{run.text()}", 0
    for key in ("states", "transitions", "levels"):
        dve, murphi = (runs[name].count(key) for name in ("DVE", "Murphi"))
        if dve != murphi:
            return f"seed {seed}: {key}: DVE {dve}, Murphi {murphi}", 0
    return "", runs["DVE"].count("states")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the models; without, only those that differ are kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="strata-dve-"))
    folder.mkdir(exist_ok=True)
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda seed: compare(arguments.strata, seed, folder), seeds))
    failed = 0
    for seed, (wrong, _) in zip(seeds, results):
        if wrong:
            failed += 1
            print(f"FAILED {wrong}\n  again: {sys.argv[0]} --strata {arguments.strata} --seed {seed} --count 1; "
                  f"models in {folder}\n  {keep_smallest(arguments.strata, seed, wrong, folder)}")
        elif not arguments.keep:
            for suffix in (".dve", ".m"):
                (folder / f"system_{seed}{suffix}").unlink()
    if not failed and not arguments.keep:
        folder.rmdir()
    print(f"{len(results)} systems of {sum(states for _, states in results)} states in all, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
