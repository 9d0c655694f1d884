"""Which lines of the files of src the tests execute, from a build with the preset `coverage` after its tests ran.

    python3 bench/coverage.py build/coverage [--below PERCENT]

Prints a line for each file, those with the smallest share first: share, lines executed, lines that can be, file. Lines
of a header count once, however many programs include it. --below leaves out files with at least this share."""

import argparse
import collections
import gzip
import json
import multiprocessing
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def counts_of(note):
    """file of src -> line -> how often it was executed, in one object."""
    lines = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcov", "--json-format", note], cwd=folder, capture_output=True, check=True)
        for report in pathlib.Path(folder).glob("*.gcov.json.gz"):
            for source in json.loads(gzip.decompress(report.read_bytes()))["files"]:
                path = pathlib.Path(source["file"])
                if path.is_relative_to(ROOT / "src"):
                    for line in source["lines"]:
                        lines[str(path.relative_to(ROOT))][line["line_number"]] += line["count"]
    return lines


def counts(tree):
    """The same over all objects of the tree."""
    lines = collections.defaultdict(collections.Counter)
    notes = [path.resolve() for path in pathlib.Path(tree).rglob("*.gcno")]
    with multiprocessing.Pool() as pool:
        for found in pool.imap_unordered(counts_of, notes):
            for name, counted in found.items():
                lines[name].update(counted)
    return lines


def is_production(name):
    return not name.endswith("_test.cc") and "/testing/" not in name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", help="the folder of the build")
    parser.add_argument("--below", type=float, default=101, help="only files with a smaller share, in percent")
    arguments = parser.parse_args()
    rows = []
    for name, lines in counts(arguments.tree).items():
        if is_production(name):
            executed = sum(count > 0 for count in lines.values())
            rows.append((100 * executed / len(lines), executed, len(lines), name))
    for share, executed, total, name in sorted(rows):
        if share < arguments.below:
            print(f"{share:5.1f} % {executed:5} {total:5}  {name}")
    executed, total = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{100 * executed / max(total, 1):5.1f} % {executed:5} {total:5}  all {len(rows)} files")


if __name__ == "__main__":
    main()
