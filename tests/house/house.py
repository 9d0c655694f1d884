"""What the house rules share: where the repository is, its files, its tables, and how a test ends."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SKIPPED = 77


def files(*folders, suffixes=None):
    """The project's files below some folders (none: all), without what a build or Python leaves behind."""
    for start in folders or (".",):
        for folder, names, found in os.walk(ROOT / start):
            names[:] = sorted(n for n in names if n not in {".git", "build", "__pycache__"})
            for name in sorted(found):
                path = Path(folder) / name
                if suffixes is None or path.suffix in suffixes:
                    yield path


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def shown(path):
    return str(Path(path).relative_to(ROOT))


def architecture_table():
    """The folder table of doc/architecture.md: folder -> the folders it may include."""
    table = {}
    in_table = False
    for line in text("doc/architecture.md").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[:2] == ["folder", "may include"]:
            in_table = True
        elif in_table and not line.startswith("|"):
            break
        elif in_table and not set(cells[0]) <= set("-: "):
            allowed = re.findall(r"`(\w+)`", cells[1])
            for folder in re.findall(r"`(\w+)`", cells[0]):
                table[folder] = set(allowed)
    if not table:
        finish(["doc/architecture.md has no table that starts with | folder | may include |"])
    return table


def source_folders():
    return {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}


def finish(problems, checked=""):
    """Ends a test: prints every problem and fails, or says what was checked."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} problem(s)")
        sys.exit(1)
    print(f"ok: {checked}")
    sys.exit(0)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def program(*names):
    """The first of the programs that is installed, or None."""
    return next((found for found in map(shutil.which, names) if found), None)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], text=True, capture_output=True, check=False, **options)
