"""The library as it is installed: found by CMake and pkg-config, the example program built and run with it, and the
module for Python.

    python3 library.py --strata PATH --build DIR"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

EXAMPLE = attack.EXAMPLES / "api"


def run(world, *words, **changes):
    process = subprocess.run([str(word) for word in words], text=True, capture_output=True, timeout=120, check=False,
                             env={**world.environment, **changes})
    return process.returncode, process.stdout, process.stderr


def command(world, *words, **changes):
    code, out, errors = run(world, *words, **changes)
    world.expect(code == 0, f"{' '.join(map(str, words))}: {code}, {out[-2000:]}{errors[-2000:]}")
    return out


def install(world, build):
    """The prefix, and the folder of its libraries, which may be called lib or lib/TRIPLET."""
    prefix = world.folder / "prefix"
    command(world, "cmake", "--install", build, "--prefix", prefix)
    libraries = sorted(prefix.glob("lib/**/libstrata.so"))
    world.expect(len(libraries) == 1, f"libraries: {libraries}")
    return prefix, libraries[0].parent


def with_pkg_config(world, prefix, library):
    """The example, built as its first lines say."""
    flags = command(world, "pkg-config", "--cflags", "--libs", "strata",
                    PKG_CONFIG_PATH=str(library / "pkgconfig")).split()
    program = world.folder / "by-pkg-config"
    command(world, "c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", EXAMPLE / "look_and_check.cc",
            "-o", program, *flags)
    world.expect(command(world, "pkg-config", "--modversion", "strata",
                         PKG_CONFIG_PATH=str(library / "pkgconfig")).strip()
                 in command(world, prefix / "bin/strata", "--version"), "the version of the package")
    return program


def with_cmake(world, prefix):
    tree = world.folder / "tree"
    command(world, "cmake", "-S", EXAMPLE, "-B", tree, f"-DCMAKE_PREFIX_PATH={prefix}")
    command(world, "cmake", "--build", tree)
    return tree / "look_and_check"


def exports_only_the_interface(world, library):
    names = command(world, "nm", "-DC", "--defined-only", library / "libstrata.so")
    ours = [line for line in names.splitlines() if " T " in line or " B " in line or " D " in line]
    foreign = [line for line in ours if "strata::api::" not in line]
    world.expect(ours and not foreign, f"symbols beside the interface: {foreign[:5]}")


def example(world, build):
    prefix, library = install(world, build)
    exports_only_the_interface(world, library)
    for program, path in ((with_cmake(world, prefix), {}), (with_pkg_config(world, prefix, library),
                                                            {"LD_LIBRARY_PATH": str(library)})):
        code, out, errors = run(world, program, attack.EXAMPLES / "peterson_bug.m", "threads=1", **path)
        world.expect(code == 12, f"{code}, {out}{errors}")
        for line in ("A look: ", "Invariant \"mutual exclusion\" failed.\n",
                     "invariant \"mutual exclusion\": violated\n", "   0  ", "        level[0] = 0\n", "  15  "):
            world.expect(line in out, f"no '{line}' in {out}")
        world.expect(re.search(r"peterson_bug\.m:105:1: Invariant", out), f"no place in {out}")
        # The look is cancelled; what it shows of the whole run is progress.
        code, out, errors = run(world, program, attack.EXAMPLES / "peterson.m", "define=N=6", "threads=1",
                                "time-limit=1", "memory=1G", **path)
        world.expect(code == 152 and re.search(r"^A look: \d+ states, then it was cancelled$", out, re.MULTILINE),
                     f"{code}, {out}{errors}")
        world.expect(re.search(r"s: expanding level \d+, \d+ states", errors), f"progress: {errors}")
        broken = world.write("broken.m", "var n: Nat;\nstartstate n := 0; end;\n")
        code, out, errors = run(world, program, broken, **path)
        world.expect(code == 150 and f"{broken}:1:8: unknown type 'Nat'" in errors, f"{code}, {out}{errors}")
        code, out, errors = run(world, program, broken, "memroy=1", **path)
        world.expect(code == 151 and "there is no option 'memroy'; the options are " in errors,
                     f"{code}, {out}{errors}")
    world.expect_clean("the example")


def code_of_the_page(language):
    """The first piece of code in this language of doc/library.md."""
    page = (attack.ROOT / "doc/library.md").read_text(encoding="utf-8")
    return re.search(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL).group(1)


def page(world, build):
    """What doc/library.md shows is compiled and run."""
    prefix, library = install(world, build)
    source = world.write("page.cc", code_of_the_page("cpp"))
    world.write("peterson_bug.m", (attack.EXAMPLES / "peterson_bug.m").read_text(encoding="utf-8"))
    program = world.folder / "page"
    command(world, "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", source, "-I", prefix / "include", "-L", library,
            "-lstrata", "-o", program, f"-Wl,-rpath,{library}")
    code, out, errors = run(world, "sh", "-c", f"cd {source.parent} && {program}")
    world.expect(code == 12 and 'Invariant "mutual exclusion" failed. ' in out and "  pc[0] = Idle" in out,
                 f"{code}, {out}{errors}")
    modules = sorted(prefix.glob("lib/python3/dist-packages/strata.*.so"))
    if modules:
        script = world.write("page.py", code_of_the_page("python"))
        code, out, errors = run(world, "sh", "-c", f"cd {source.parent} && {sys.executable} {script}",
                                PYTHONPATH=str(modules[0].parent))
        world.expect(code == 0 and out.startswith(("violated ", "expanding"))
                     and "{0: 'Idle', 1: 'Idle', 2: 'Idle'}" in out, f"{code}, {out}{errors}")


def shared_object(world, build):
    """A model that is a shared object, through the library."""
    prefix, library = install(world, build)
    model = world.folder / "models" / "peterson.so"
    command(world, "cc", "-shared", "-fPIC", "-I", prefix / "include", "-o", model,
            attack.EXAMPLES / "object/peterson.c")
    program = with_pkg_config(world, prefix, library)
    code, out, errors = run(world, program, model, LD_LIBRARY_PATH=str(library))
    world.expect(code == 0 and "10 states" in out, f"{code}, {out}{errors}")


def python(world, build):
    prefix, _ = install(world, build)
    modules = sorted(prefix.glob("lib/python3/dist-packages/strata.*.so"))
    if not modules:
        print("not run: the Debian packages pybind11-dev and python3-dev were not there when this was built")
        return
    code, out, errors = run(world, sys.executable, "-B", Path(__file__).resolve().parent / "python_module.py",
                            PYTHONPATH=str(modules[0].parent), STRATA_EXAMPLES=str(attack.EXAMPLES))
    world.expect(code == 0, f"{code}, {out}{errors}")
    world.expect_clean("the module for Python")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--build", required=True, type=Path)
    arguments = parser.parse_args()
    if not shutil.which("pkg-config"):
        print("not run: pkg-config is not installed")
        return 77
    tests = (example, page, shared_object, python)
    build = arguments.build.resolve()
    return attack.in_world(arguments.strata, [(test.__name__, lambda world, test=test: test(world, build))
                                              for test in tests])


if __name__ == "__main__":
    sys.exit(main())
