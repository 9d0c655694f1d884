"""No file of code grows past 500 lines, and no folder of src past 20 files besides its tests; from 400 lines or 15
files on a warning says that the place hides a concept of its own. No two sources have the same name: stack traces
and search results show base names."""

import collections

import house

LINES, LINES_WARNING = 500, 400
FILES, FILES_WARNING = 20, 15

problems = []
files = list(house.files("src", "tests", "bench", "cmake", suffixes={".h", ".cc", ".def", ".py", ".sh", ".cmake",
                                                                     ".txt", ".js", ".css", ".html"}))
for path in files:
    lines = house.text(path).count("\n")
    if lines > LINES:
        problems.append(f"{house.shown(path)} has {lines} lines; {LINES} is the limit. Split it by concept.")
    elif lines > LINES_WARNING:
        print(f"warning: {house.shown(path)} has {lines} lines; aim for fewer than {LINES_WARNING}")
folders = collections.Counter(path.parent for path in house.files("src") if not path.name.endswith("_test.cc"))
for folder, count in sorted(folders.items()):
    if count > FILES:
        problems.append(f"{house.shown(folder)} has {count} files besides its tests; {FILES} is the limit. Make rooms "
                        "in it.")
    elif count > FILES_WARNING:
        print(f"warning: {house.shown(folder)} has {count} files besides its tests; aim for at most {FILES_WARNING}")
sources = collections.defaultdict(list)
for path in house.files("src", suffixes={".h", ".cc", ".def"}):
    sources[path.name].append(house.shown(path))
problems += [f"{' and '.join(paths)} have the same name. Rename one." for paths in sources.values() if len(paths) > 1]
house.finish(problems, f"{len(files)} files have at most {LINES} lines, {len(folders)} folders at most {FILES} files")
