"""Every header compiles alone: it includes what it uses."""

import os
import shlex
import tempfile
from concurrent.futures import ThreadPoolExecutor

import house

FLAGS = shlex.split("-std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion "
                    "-Werror")
# The run-time support of compiled models becomes part of their text, behind abi.h, so it can include nothing.
BEHIND = {"native/model_runtime.h": "native/abi.h"}


def compile_alone(compiler, header, folder):
    """Through a file that only includes it twice, so that a missing #pragma once shows too."""
    name = str(header.relative_to(house.ROOT / "src"))
    source = os.path.join(folder, name.replace("/", "_") + ".cc")
    with open(source, "w", encoding="utf-8") as file:
        for included in [BEHIND.get(name), name, name]:
            if included:
                file.write(f'#include "{included}"\n')
    result = house.run(compiler, *FLAGS, "-I", house.ROOT / "src", source)
    return None if result.returncode == 0 else f"{house.shown(header)} does not compile alone:\n{result.stderr}"


gcc = house.program("g++", "c++")
if not gcc:
    house.skip("no C++ compiler")
headers = list(house.files("src", suffixes={".h"}))
with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(lambda header: compile_alone(gcc, header, scratch), headers))
house.finish([result for result in results if result], f"{len(headers)} headers compile alone")
