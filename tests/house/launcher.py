"""What ./strata does before the program runs, in a small repository with stand-ins for cmake, dpkg-query and apt-get:
it builds once, again only when a source changed, once for two that start together, shows the log of a failed build,
installs what is missing, and passes its arguments as they are."""

import os
import pty
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import house

CMAKE = """#!/usr/bin/env bash
echo "cmake $*" >>"$CALLS"
if [[ $1 == --build ]]; then
  sleep 0.3
  for step in 1 2 3; do echo "[$step/3] Building"; done
  [[ ! -e $PWD/src/broken.cc ]] || { echo "error: broken.cc"; exit 1; }
  printf '#!/bin/sh\\nprintf "[%%s]" "$@"\\n' >build/release/strata
  chmod +x build/release/strata
else
  echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt
  : >build/release/build.ninja
fi
"""
# Every package is installed but those that the file $MISSING names.
DPKG_QUERY = """#!/usr/bin/env bash
for package in "${@:4}"; do
  grep -qx "$package" "$MISSING" || echo "ii  $package"
done
"""
APT_GET = """#!/usr/bin/env bash
echo "apt-get $*" >>"$CALLS"
[[ ! -e $MISSING.refuse ]] || { echo "E: no network"; exit 100; }
: >"$MISSING"
"""
SUDO = """#!/usr/bin/env bash
[[ $1 != -n ]] || shift
exec "$@"
"""


class Repository:
    """A copy of the launcher beside one source file, in a folder whose name has a blank."""

    def __init__(self, scratch):
        self.root = Path(scratch) / "a clone"
        self.calls = Path(scratch) / "calls"
        self.missing = Path(scratch) / "missing"
        self.tools = tools = Path(scratch) / "tools"
        for folder in (self.root / "src", self.root / "cmake", tools):
            folder.mkdir(parents=True)
        shutil.copy(house.ROOT / "strata", self.root)
        shutil.copy(house.ROOT / "cmake/build.sh", self.root / "cmake")
        for name in ("CMakeLists.txt", "CMakePresets.json", "src/main.cc"):
            (self.root / name).write_text("")
        self.missing.write_text("")
        stand_ins = {"cmake": CMAKE, "dpkg-query": DPKG_QUERY, "apt-get": APT_GET, "sudo": SUDO}
        for name, script in stand_ins.items():
            (tools / name).write_text(script)
            (tools / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CALLS": str(self.calls),
                            "MISSING": str(self.missing)}

    def start(self, *arguments):
        return subprocess.Popen([self.root / "strata", *arguments], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.environment, cwd="/")

    def run(self, *arguments):
        """Exit code, standard output, standard error, and the calls of the stand-ins."""
        self.calls.write_text("")
        process = self.start(*arguments)
        output, errors = process.communicate()
        return process.returncode, output, errors, self.calls.read_text()

    def edit(self, name):
        time.sleep(0.02)
        (self.root / name).write_text("changed")


PROBLEMS = []


def expect(condition, what, seen):
    if not condition:
        PROBLEMS.append(f"{what}; got {seen}")


def builds_when_needed(repository):
    strange = ["two  words", "", "$HOME", "*", "a'b\"c", "--", "-x"]
    seen = repository.run(*strange)
    expect(seen[:2] == (0, "".join(f"[{word}]" for word in strange)), "arguments must arrive as they are", seen)
    expect(re.fullmatch(r"strata: building strata: about \d+ min with \d+ cores, this once \.\.\.\n", seen[2]),
           "a first build says in one line how long it takes", seen)
    seen = repository.run("x")
    expect(seen == (0, "[x]", "", ""), "a second start builds nothing", seen)
    for name in ("src/main.cc", "src/another.h", "cmake/embed.cmake", "CMakeLists.txt"):
        repository.edit(name)
        seen = repository.run("x")
        expect("cmake --build" in seen[3], f"a change of {name} is built", seen)
    (repository.root / "src/another.h").unlink()
    seen = repository.run("x")
    expect("cmake --build" in seen[3], "a removed file leads to a build", seen)
    seen = repository.run("x")
    expect(seen[3] == "", "after these builds nothing is left to do", seen)


def tells_its_progress(repository):
    """On a terminal; elsewhere a short build has one line."""
    repository.edit("src/main.cc")
    main, other = pty.openpty()
    process = subprocess.Popen([repository.root / "strata", "x"], stdout=subprocess.DEVNULL, stderr=other,
                               env=repository.environment, cwd="/")
    os.close(other)
    shown = b""
    try:
        while piece := os.read(main, 4096):
            shown += piece
    except OSError:
        pass
    process.wait()
    os.close(main)
    expect(re.search(rb"\rstrata: building: 1 of 3 steps, \d+ s \rstrata: building: 2 of 3 steps, \d+ s ", shown)
           and shown.endswith(b"\n"), "a terminal sees how far the build is", shown)


def builds_again_for_mpi(repository):
    """Under mpirun, when MPI was installed after the last build."""
    compiler = repository.tools / "mpicxx"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    seen = repository.run("x")
    expect(seen[3] == "", "MPI that was installed is of no interest to one process", seen)
    repository.environment["OMPI_COMM_WORLD_SIZE"] = "2"
    seen = repository.run("x")
    expect("cmake --build" in seen[3] and "strata_mpi" in seen[3], "several processes need a build with MPI", seen)
    (repository.root / "build/release/libstrata_mpi.so").write_text("")
    seen = repository.run("x")
    expect(seen[3] == "", "which is built once", seen)
    del repository.environment["OMPI_COMM_WORLD_SIZE"]


def builds_once_for_two(repository):
    repository.edit("src/main.cc")
    repository.calls.write_text("")
    both = [repository.start("x"), repository.start("x")]
    outputs = [process.communicate() for process in both]
    calls = repository.calls.read_text()
    expect(calls.count("cmake --build") == 1, "two launchers that start together build once", calls)
    expect([output for output, _ in outputs] == ["[x]", "[x]"], "and both run", outputs)


def shows_failed_builds(repository):
    repository.edit("src/broken.cc")
    seen = repository.run("x")
    expect(seen[0] == 153 and seen[1] == "", "a failed build ends with 153 and runs nothing", seen)
    expect("error: broken.cc" in seen[2] and "the build failed" in seen[2], "a failed build shows its log", seen)
    (repository.root / "src/broken.cc").unlink()
    seen = repository.run("x")
    expect(seen[0] == 0, "and is tried again", seen)


def installs_packages(repository):
    repository.missing.write_text("ninja-build\n")
    repository.edit("src/main.cc")
    seen = repository.run("x")
    expect(seen[0] == 0 and "apt-get install -y" in seen[3], "a missing package is installed", seen)
    expect(seen[3].split("cmake")[0].rstrip().endswith(" ninja-build"), "and no other package", seen)
    repository.missing.write_text("libfmt-dev\n")
    repository.environment["STRATA_NO_INSTALL"] = "1"
    repository.edit("src/main.cc")
    seen = repository.run("x")
    expect(seen[0] == 153 and seen[3] == "", "with STRATA_NO_INSTALL nothing is installed", seen)
    expect("apt-get install libfmt-dev\n" in seen[2], "but the command is named", seen)
    del repository.environment["STRATA_NO_INSTALL"]
    Path(f"{repository.missing}.refuse").write_text("")
    repository.edit("src/main.cc")
    seen = repository.run("x")
    expect(seen[0] == 153 and "E: no network" in seen[2], "what apt-get says is shown when it fails", seen)
    expect("by hand" in seen[2] and "libfmt-dev" in seen[2], "with what the user can do", seen)


def builds_a_moved_clone_afresh(repository):
    seen = repository.run("x")
    repository.root = repository.root.rename(repository.root.parent / "moved")
    seen = repository.run("x")
    expect("--fresh" in seen[3] and seen[1] == "[x]", "a moved clone is configured afresh", seen)


with tempfile.TemporaryDirectory() as folder:
    clone = Repository(os.path.realpath(folder))
    for step in (builds_when_needed, tells_its_progress, builds_again_for_mpi, builds_once_for_two, shows_failed_builds,
                 builds_a_moved_clone_afresh, installs_packages):
        step(clone)
house.finish(PROBLEMS, "the launcher builds when needed, once, and passes its arguments on")
