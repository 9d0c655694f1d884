"""Includes go one way, and doc/architecture.md and cmake/folders.cmake say which.

A folder of src includes only itself and the folders that doc/architecture.md's table allows. Within that, each
folder, rooms included, includes exactly the folders that its line of cmake/folders.cmake names. Neither has a
circle. Machinery for tests, in folders called testing, is included by tests and by other such machinery alone."""

import re

import house

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def is_test(path):
    return path.name.endswith("_test.cc") or path.parent.name == "testing"


def includes():
    """File, line, and what it includes, of all files of src."""
    for path in house.files("src", suffixes={".h", ".cc", ".def"}):
        text = house.text(path)
        for match in INCLUDE.finditer(text):
            yield path, text.count("\n", 0, match.start(1)) + 1, match.group(1)


def room_of(path):
    """The folder of a file within src: store/log for src/store/log/state_log.h."""
    return str(path.parent.relative_to(house.ROOT / "src"))


def check_includes(table):
    for path, line, target in includes():
        folder = path.relative_to(house.ROOT / "src").parts[0]
        where = f"{house.shown(path)}:{line}"
        if not (house.ROOT / "src" / target).is_file():
            yield f'{where}: "{target}" is not a file of src/; write includes from src/, as in "base/status.h"'
        elif target.split("/")[0] not in table.get(folder, set()) | {folder} and not is_test(path):
            yield f'{where}: {folder} may not include "{target}" (doc/architecture.md, table of folders)'
        elif "/testing/" in target and not is_test(path):
            yield f'{where}: only tests may include "{target}"'


def circle(graph):
    """The folders that are on a circle of the graph or behind one; none: it has no circle."""
    remaining = {folder: set(others) for folder, others in graph.items()}
    while True:
        free = [folder for folder, others in remaining.items() if not others & set(remaining)]
        if not free:
            return sorted(remaining)
        for folder in free:
            del remaining[folder]


def check_table(table):
    for folder in sorted(house.source_folders() - set(table)):
        yield f"doc/architecture.md: src/{folder} is missing in the table of folders"
    for folder in sorted(set(table) - house.source_folders()):
        yield f"doc/architecture.md: the table names {folder}, but src/{folder} does not exist"
    for folder, allowed in table.items():
        for unknown in sorted(allowed - set(table)):
            yield f"doc/architecture.md: {folder} may include {unknown}, which the table does not have"
    if circle(table):
        yield f"doc/architecture.md: the table has a circle among {', '.join(circle(table))}"


def check_rooms():
    """strata_folder(PATH DEPENDS...) and strata_testing(PATH DEPENDS...) are what the files of each room include."""
    calls = re.findall(r"^strata_(?:folder|testing)\(([^\s)]+)([^)]*)\)", house.text("cmake/folders.cmake"),
                       re.MULTILINE)
    linked = {path: set(depends.split()) for path, depends in calls}
    included = {}
    for path, _, target in includes():
        room = room_of(path)
        if not path.name.endswith("_test.cc"):
            included.setdefault(room, set()).add(target.rpartition("/")[0])
    for room in sorted(included):
        if room not in linked:
            yield f"cmake/folders.cmake: no line builds src/{room}"
            continue
        for missing in sorted(included[room] - linked[room] - {room}):
            yield f"cmake/folders.cmake: src/{room} includes {missing}, which its line does not name"
        # What a table row declares is linked without an include.
        extra = {other for other in linked[room] - included[room] if not other.startswith(room + "/")}
        for other in sorted(extra):
            yield f"cmake/folders.cmake: the line of src/{room} names {other}, which it does not include"
    rooms = {room_of(path) for path in house.files("src", suffixes={".h", ".cc"})}
    for room in sorted(set(linked) - rooms):
        yield f"cmake/folders.cmake: src/{room} has no file"
    if circle(linked):
        yield f"cmake/folders.cmake: there is a circle among {', '.join(circle(linked))}"


folders = house.architecture_table()
house.finish([*check_table(folders), *check_includes(folders), *check_rooms()],
             f"{len(folders)} folders include only what the table allows")
