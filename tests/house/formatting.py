"""Every C++ file and script of a page is as clang-format 14 with .clang-format writes it. To repair:
clang-format-14 -i FILE..."""

import os
from concurrent.futures import ThreadPoolExecutor

import house

formatter = house.program("clang-format-14", "clang-format")
if not formatter:
    house.skip("clang-format is not installed (Debian package clang-format-14)")
version = house.run(formatter, "--version").stdout.strip()
if " 14." not in version:
    house.skip(f"clang-format 14 is not installed; versions differ in their output, and this is {version}")
sources = list(house.files("src", "python", "tests", "bench", suffixes={".h", ".cc", ".js"}))
# Many files a call: most of the time of a call is its start.
BATCH = 64
batches = [sources[at:at + BATCH] for at in range(0, len(sources), BATCH)]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    results = pool.map(lambda some: house.run(formatter, "--style=file", "--dry-run", *some, cwd=house.ROOT), batches)
names = sorted({os.path.relpath(line.split(":")[0], house.ROOT) for result in results
                for line in result.stderr.splitlines() if "[-Wclang-format-violations]" in line})
# It complains about some texts that it would leave as they are.
names = [name for name in names if house.run(formatter, "--style=file", house.ROOT / name).stdout != house.text(name)]
wrong = [f"{name} is not formatted; repair with: clang-format-14 -i {name}" for name in names]
house.finish(wrong, f"{len(sources)} files are formatted")
