"""clang-tidy 14 finds nothing in the code of the program with the checks of .clang-tidy. Tests are left out: what they
do on purpose (using moved values, odd arguments) is what the checks look for.

    python3 tests/house/clang_tidy.py [--jobs N] [FOLDER...]      # of src, such as store/log; default: all

Configures build/tidy, a build with clang in which each file includes several sources (CMAKE_UNITY_BUILD): headers are
read once for all of them. Nothing is built. Every .cc file of src must be in one of these
files, so that none is left out by accident."""

import argparse
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

import house

TREE = house.ROOT / "build" / "tidy"
INCLUDED = re.compile(r'^#include "(.+)"$', re.M)
FINDING = re.compile(r"^(/\S+?:\d+:\d+): (?:error|warning): (.*)$", re.M)


def configure():
    result = house.run("cmake", "--preset", "clang", "-B", TREE, "-DCMAKE_UNITY_BUILD=ON", "-DSTRATA_TESTS=OFF",
                       cwd=house.ROOT)
    if result.returncode != 0:
        house.finish([f"cmake cannot configure {house.shown(TREE)}:\n{result.stdout}{result.stderr}"])


def is_production(path):
    return not path.name.endswith("_test.cc") and "testing" not in path.parts


def sources_of(unit):
    """The files of src that a compiled file consists of."""
    text = unit.read_text(encoding="utf-8")
    found = [house.Path(name) for name in INCLUDED.findall(text)] if "Unity" in unit.parts else [unit]
    return {path for path in found if path.is_relative_to(house.ROOT / "src")}


def units(folders):
    """Compiled file -> its sources, of those with sources in the folders."""
    commands = json.loads((TREE / "compile_commands.json").read_text(encoding="utf-8"))
    found = {unit: sources_of(unit) for unit in sorted({house.Path(entry["file"]) for entry in commands})}
    wanted = [house.ROOT / "src" / folder for folder in folders or [""]]
    return {unit: sources for unit, sources in found.items()
            if any(source.is_relative_to(folder) for source in sources for folder in wanted)}


def findings(tidy, unit):
    """What clang-tidy reports about a compiled file. The compilers' own warnings are checked by the builds."""
    result = house.run(tidy, "-p", TREE, "--quiet", "--use-color=false", "--extra-arg=-w", unit, cwd=house.ROOT)
    found = {f"{os.path.relpath(place, house.ROOT)}: {text}" for place, text in FINDING.findall(result.stdout)}
    if result.returncode != 0 and not found:
        found.add(f"clang-tidy failed for {house.shown(unit)}:\n{result.stdout}{result.stderr}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args()
    tidy = house.program("clang-tidy-14")
    if not tidy or not house.program("clang++-14"):
        house.skip("clang-tidy 14 or clang 14 is not installed (Debian packages clang-tidy-14 and clang)")
    configure()
    wanted = units(arguments.folders)
    read = set().union(*wanted.values())
    problems = []
    if not arguments.folders:
        # Files that folders.cmake names, such as no_yaml.cc, are built only where a library is missing.
        named = house.text("cmake/folders.cmake")
        problems = [f"{house.shown(path)} is in no library or program of {house.shown(TREE)}"
                    for path in house.files("src", suffixes={".cc"})
                    if is_production(path) and path not in read and path.stem not in named]
    elif not wanted:
        problems = [f"no source of {' '.join(arguments.folders)} is in {house.shown(TREE)}"]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        found = set().union(*pool.map(lambda unit: findings(tidy, unit), wanted))
    house.finish(problems + sorted(found), f"{len(read)} files have no finding")


if __name__ == "__main__":
    main()
