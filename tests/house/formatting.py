"""Every C++ file and script of a page is as clang-format 14 with .clang-format writes it. To repair:
clang-format-14 -i FILE..."""

import house

formatter = house.program("clang-format-14", "clang-format")
if not formatter:
    house.skip("clang-format is not installed (Debian package clang-format-14)")
version = house.run(formatter, "--version").stdout.strip()
if " 14." not in version:
    house.skip(f"clang-format 14 is not installed; versions differ in their output, and this is {version}")
sources = list(house.files("src", "python", "tests", "bench", suffixes={".h", ".cc", ".js"}))
wrong = []
for source in sources:
    if house.run(formatter, "--style=file", source).stdout != house.text(source):
        wrong.append(f"{house.shown(source)} is not formatted; repair with: clang-format-14 -i {house.shown(source)}")
house.finish(wrong, f"{len(sources)} files are formatted")
