"""Includes go one way: a folder of src includes only itself and the folders that doc/architecture.md's table allows.

CMakeLists.txt links the folders by the same table, and the table has no cycle. Nor have the folders within these folders.
"""

import re
from pathlib import PurePath

import house

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def check_includes(table):
    for path in house.files("src", suffixes={".h", ".cc", ".def"}):
        folder = path.relative_to(house.ROOT / "src").parts[0]
        for match in INCLUDE.finditer(house.text(path)):
            target = match.group(1)
            line = house.text(path).count("\n", 0, match.start(1)) + 1
            where = f"{house.shown(path)}:{line}"
            if not (house.ROOT / "src" / target).is_file():
                yield f'{where}: "{target}" is no file of src/; write includes from src/, as in "base/status.h"'
            elif target.split("/")[0] not in table.get(folder, set()) | {folder}:
                yield f'{where}: {folder} may not include "{target}" (doc/architecture.md, table of folders)'


def check_table(table):
    for folder in sorted(house.source_folders() - set(table)):
        yield f"doc/architecture.md: src/{folder} is missing in the table of folders"
    for folder in sorted(set(table) - house.source_folders()):
        yield f"doc/architecture.md: the table names {folder}, but src/{folder} does not exist"
    for folder, allowed in table.items():
        for unknown in sorted(allowed - set(table)):
            yield f"doc/architecture.md: {folder} may include {unknown}, which the table does not have"
    if cycle := find_cycle(table):
        yield f"doc/architecture.md: the table has a cycle among {', '.join(cycle)}"


def find_cycle(graph):
    """The folders in cycles of the graph and between them, or none."""
    remaining = dict(graph)
    while remaining:
        included = set().union(*remaining.values())
        ends = [folder for folder, own in remaining.items() if folder not in included or not own & set(remaining)]
        if not ends:
            return sorted(remaining)
        for folder in ends:
            del remaining[folder]
    return []


def check_inner_folders():
    graph = {}
    for path in house.files("src", suffixes={".h", ".cc", ".def"}):
        folder = str(path.parent.relative_to(house.ROOT / "src"))
        targets = {str(PurePath(target).parent) for target in INCLUDE.findall(house.text(path))}
        graph.setdefault(folder, set()).update(targets - {folder})
    if cycle := find_cycle(graph):
        yield f"the includes have a cycle among src/{', src/'.join(cycle)}"


def check_links(table):
    """strata_folder(NAME PATH DEPENDS...) of CMakeLists.txt says the same; a NAME may be a folder within a folder."""
    calls = re.findall(r"^strata_folder\(([^\s)]+) ([^\s)]+)([^)]*)\)", house.text("CMakeLists.txt"), re.MULTILINE)
    folder_of = {name: path.split("/")[0] for name, path, _ in calls}
    for name, path, depends in calls:
        folder = path.split("/")[0]
        linked = {folder_of.get(other, other) for other in depends.split()} - {folder}
        for extra in sorted(linked - table.get(folder, set())):
            yield f"CMakeLists.txt: strata_folder({name} ...) links {extra}, which doc/architecture.md does not allow"
    for folder in sorted(house.source_folders() - set(folder_of.values())):
        yield f"CMakeLists.txt: no strata_folder() builds src/{folder}"


folders = house.architecture_table()
house.finish([*check_table(folders), *check_includes(folders), *check_inner_folders(), *check_links(folders)],
             f"{len(folders)} folders include only what the table allows")
