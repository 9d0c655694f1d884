"""Every header compiles alone: it includes what it uses. For a header that the source file of the same name
includes first, this follows from the build with clang (./test --long), which precompiles nothing; the others are
compiled here."""

import os
import shlex
import tempfile
from concurrent.futures import ThreadPoolExecutor

import house

FLAGS = shlex.split("-std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion "
                    "-Werror")
# The run-time support of compiled models becomes part of their text, in this order, so it can include nothing.
RUNTIME = ["native/abi.h", "native/model_runtime.h", "native/symmetry/permutations.h", "native/symmetry/shapes.h",
           "native/symmetry/rows.h", "native/symmetry/element_keys.h", "native/symmetry/orbits.h"]
BEHIND = {header: RUNTIME[:number] for number, header in enumerate(RUNTIME)}


def compile_alone(compiler, header, folder):
    """Through a file that only includes it twice, so that a missing #pragma once shows too."""
    name = str(header.relative_to(house.ROOT / "src"))
    source = os.path.join(folder, name.replace("/", "_") + ".cc")
    with open(source, "w", encoding="utf-8") as file:
        for included in [*BEHIND.get(name, []), name, name]:
            file.write(f'#include "{included}"\n')
    result = house.run(compiler, *FLAGS, "-I", house.ROOT / "src", source)
    return None if result.returncode == 0 else f"{house.shown(header)} does not compile alone:\n{result.stderr}"


def is_first_of_its_source(header):
    source = header.with_suffix(".cc")
    if not source.exists():
        return False
    name = str(header.relative_to(house.ROOT / "src"))
    first = next((line for line in source.read_text(encoding="utf-8").splitlines() if line.startswith("#include")), "")
    return first == f'#include "{name}"'


gcc = house.program("g++", "c++")
if not gcc:
    house.skip("no C++ compiler")
headers = [header for header in house.files("src", suffixes={".h"}) if not is_first_of_its_source(header)]
with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(lambda header: compile_alone(gcc, header, scratch), headers))
house.finish([result for result in results if result], f"{len(headers)} headers without a source file compile alone")
