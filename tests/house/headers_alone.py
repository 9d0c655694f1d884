"""Every header compiles alone: it includes what it uses. For a header that the source file of the same name includes
first, this follows from the build with clang (./test --long), which precompiles nothing; the others are compiled here.
A header is compiled again only when its text, or that of a header below it, has changed since it last compiled: what
compiled is remembered in build/headers_alone. The headers of the standard library are precompiled, which halves the
time; that each file includes those that it uses is the business of standard_includes.py. Of the headers that were never
compiled, each commit compiles another third. With --all, all headers are compiled, and nothing is precompiled."""

import argparse
import hashlib
import os
import re
import shlex
import tempfile
from concurrent.futures import ThreadPoolExecutor

import house

FLAGS = shlex.split("-std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion "
                    "-Werror")
# The run-time support of compiled models becomes part of their text, in this order, so it can include nothing.
RUNTIME = ["native/abi.h", *(f"native/runtime/{name}.h" for name in
                             ("failing", "checked_values", "state_bits", "words_on_host", "state_bytes",
                              "packed_places", "call_context", "host_calls")),
           *(f"native/symmetry/{name}.h" for name in
             ("permutations", "scalar_shapes", "shapes", "rows", "element_keys", "element_lists",
              "tie_search", "orbits"))]
BEHIND = {header: RUNTIME[:number] for number, header in enumerate(RUNTIME)}
# Read for each header again, these take most of the time.
STANDARD = ("algorithm", "atomic", "chrono", "deque", "filesystem", "fstream", "functional", "map", "memory", "mutex",
            "optional", "set", "string", "thread", "unordered_map", "variant", "vector")
REMEMBERED = house.ROOT / "build" / "headers_alone"
SOURCES = house.ROOT / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def precompile_standard(compiler, folder):
    """The options that make the compiler use the precompiled headers."""
    standard = os.path.join(folder, "standard.h")
    with open(standard, "w", encoding="utf-8") as file:
        file.writelines(f"#include <{name}>\n" for name in STANDARD)
    flags = [flag for flag in FLAGS if flag != "-fsyntax-only"]
    made = house.run(compiler, *flags, "-x", "c++-header", standard, "-o", standard + ".gch")
    return ["-include", standard] if made.returncode == 0 else []


def compile_alone(compiler, header, folder, options):
    """Through a file that only includes it twice, so that a missing #pragma once shows too."""
    name = str(header.relative_to(SOURCES))
    source = os.path.join(folder, name.replace("/", "_") + ".cc")
    with open(source, "w", encoding="utf-8") as file:
        for included in [*BEHIND.get(name, []), name, name]:
            file.write(f'#include "{included}"\n')
    result = house.run(compiler, *FLAGS, *options, "-I", SOURCES, source)
    return None if result.returncode == 0 else f"{house.shown(header)} does not compile alone:\n{result.stderr}"


def is_first_of_its_source(header):
    source = header.with_suffix(".cc")
    if not source.exists():
        return False
    name = str(header.relative_to(SOURCES))
    first = next((line for line in source.read_text(encoding="utf-8").splitlines() if line.startswith("#include")), "")
    return first == f'#include "{name}"'


def below(header, known):
    """The header and all headers of the project that it includes, also by others."""
    if header not in known:
        known[header] = {header}
        text = header.read_text(encoding="utf-8")
        names = [*INCLUDE.findall(text), *BEHIND.get(str(header.relative_to(SOURCES)), [])]
        for name in names:
            if (SOURCES / name).exists():
                known[header] |= below(SOURCES / name, known)
    return known[header]


def key(header, setting, known):
    """A hash of all that decides whether the header compiles."""
    texts = hashlib.sha256(setting.encode())
    for path in sorted(below(header, known)):
        texts.update(f"{house.shown(path)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return texts.hexdigest()


def third_of(text):
    return hashlib.sha256(text.encode()).digest()[0] % 3


def commit():
    """The name of the present commit; empty: not known."""
    return house.run("git", "-C", house.ROOT, "rev-parse", "HEAD").stdout.strip()


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--all", action="store_true", help="all headers, whatever is remembered")
everything = parser.parse_args().all
gcc = house.program("g++", "c++")
if not gcc:
    house.skip("no C++ compiler")
headers = list(house.files("src", suffixes={".h"}))
remembered = set()
if not everything:
    headers = [header for header in headers if not is_first_of_its_source(header)]
    remembered = set(REMEMBERED.read_text(encoding="utf-8").split()) if REMEMBERED.exists() else set()
setting = " ".join([house.run(gcc, "--version").stdout, *FLAGS])
graph = {}
keys = {header: key(header, setting, graph) for header in headers}
wanted = [header for header in headers if keys[header] not in remembered]
if not everything and not remembered:
    wanted = [header for header in wanted if third_of(str(header.relative_to(SOURCES))) == third_of(commit())]
with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
    precompiled = precompile_standard(gcc, scratch) if wanted and not everything else []
    results = dict(zip(wanted, pool.map(lambda header: compile_alone(gcc, header, scratch, precompiled), wanted)))
if not everything:
    REMEMBERED.parent.mkdir(exist_ok=True)
    compiled = [header for header in headers if not results.get(header, keys[header] not in remembered)]
    REMEMBERED.write_text("\n".join(keys[header] for header in compiled), encoding="utf-8")
house.finish([result for result in results.values() if result],
             f"{len(headers)} headers compile alone, {len(wanted)} of them were compiled now")
