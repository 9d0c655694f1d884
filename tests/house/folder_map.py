"""The folder map of HACKING.md is true: every folder of the repository's first level and of src has its line, and
every line has its folder. A line of the map starts with the folder in backquotes: | `src/base/` | ... |"""

import re

import house


def real_folders():
    """First level and everything below src; hidden folders and folders without a file of the project are none."""
    found = set()
    for path in house.files():
        parts = path.relative_to(house.ROOT).parts[:-1]
        if not parts or parts[0].startswith("."):
            continue
        found.add(parts[0])
        if parts[0] == "src":
            found.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return found


def mapped_folders():
    section = re.search(r"^## Folders$(.*?)(?=^## |\Z)", house.text("HACKING.md"), re.MULTILINE | re.DOTALL)
    if not section:
        house.finish(['HACKING.md has no section "## Folders"'])
    return re.findall(r"^\| `([\w/.-]+?)/?` \| \S", section.group(1), re.MULTILINE)


def problems():
    listed = mapped_folders()
    real = real_folders()
    for folder in sorted(real - set(listed)):
        yield f"HACKING.md: the folder map has no line for {folder}/"
    for folder in sorted(set(listed)):
        if folder not in real and not any((house.ROOT / folder).rglob("*")):
            yield f"HACKING.md: the folder map lists {folder}/, which does not exist or is empty"
        if listed.count(folder) > 1:
            yield f"HACKING.md: the folder map lists {folder}/ {listed.count(folder)} times"


house.finish(list(problems()), f"the map has {len(mapped_folders())} folders")
