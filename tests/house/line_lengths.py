"""Lines of sources, scripts and documents have at most 120 columns; a row of a table, which Markdown cannot break, at
most 200. Left out are reports in bench/results, which programs print, models, pages and tables of data."""

import house

COLUMNS, ROW_COLUMNS = 120, 200
SOURCES = {".h", ".cc", ".c", ".def", ".py", ".js", ".css", ".cmake", ".sh", ".yml"}
# Files without a suffix, or with one that others use for data.
NAMES = {"CMakeLists.txt", "CMakePresets.json", "Containerfile", "strata", "test", "run", "quick_compiler"}


def limit_of(path, line):
    return ROW_COLUMNS if path.suffix == ".md" and line.startswith("|") else COLUMNS


problems = []
paths = [path for path in house.files() if path.suffix in SOURCES | {".md"} or path.name in NAMES]
paths = [path for path in paths if "results" not in path.parts]
for path in paths:
    for number, line in enumerate(house.text(path).split("\n"), 1):
        limit = limit_of(path, line)
        if len(line) > limit:
            problems.append(f"{house.shown(path)}:{number}: {len(line)} columns; {limit} is the limit")
house.finish(problems, f"the lines of {len(paths)} files")
