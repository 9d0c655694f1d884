"""`cmake --install` and the Debian package: what they hold is complete and works from where it lies.

    python3 install.py --strata PATH --build DIR
"""

import argparse
import gzip
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

FILES = ["bin/strata", "include/strata/model.h", "share/man/man1/strata.1.gz", "share/man/man1/strata-check.1.gz",
         "share/man/man1/strata-murphi.1.gz",
         "share/bash-completion/completions/strata", "share/zsh/vendor-completions/_strata",
         "share/fish/vendor_completions.d/strata.fish", "share/doc/strata/manual.md",
         "share/doc/strata/algorithms/auto.md",
         "share/doc/strata/report.schema.json", "share/doc/strata/copyright", "share/doc/strata/LICENSE",
         "share/doc/strata/NEWS.md",
         "share/doc/strata/examples/peterson.m", "share/doc/strata/examples/long_run.sh",
         "share/doc/strata/changelog.gz"]
# What lintian may say: the developers have no address; CPack has ldconfig called by scripts, not by a trigger;
# libraries lie in lib, as below any other prefix, and not in a folder of the architecture.
KNOWN = {"bogus-mail-host", "bogus-mail-host-in-debian-changelog", "lacks-ldconfig-trigger",
         "maintscript-calls-ldconfig",
         "pkg-config-unavailable-for-cross-compilation"}

FIELDS = {"strata": ("g++", "liburing2", "libfmt9", "Recommends: m4", "Section: science"),
          "libstrata0.1": ("g++", "liburing2", "Section: libs"),
          "libstrata-dev": ("libstrata0.1 (= ", "Section: libdevel"),
          "python3-strata": ("libstrata0.1 (= ", "python3 (>= 3.", "Section: python")}


def command(world, *words):
    process = subprocess.run([str(word) for word in words], text=True, capture_output=True, env=world.environment,
                             check=False)
    world.expect(process.returncode == 0, f"{' '.join(map(str, words))}: {process.returncode}, "
                                          f"{process.stdout[-2000:]}{process.stderr[-2000:]}")
    return process.stdout


def works(world, prefix):
    for name in FILES:
        path = prefix / name
        world.expect(path.is_file() and path.stat().st_size > 0, f"{name} is not in {prefix}")
    built_with_mpi = "no MPI" not in command(world, prefix / "bin/strata", "--version")
    world.expect((prefix / "lib/strata/libstrata_mpi.so").is_file() == built_with_mpi, "the object for MPI")
    out = command(world, prefix / "bin/strata", "check", prefix / "share/doc/strata/examples/traffic_light.m",
                  "--threads", "1")
    world.expect("No error found." in out, out)
    world.expect(command(world, prefix / "bin/strata", "--man", "check") ==
                 gzip.decompress((prefix / "share/man/man1/strata-check.1.gz").read_bytes()).decode(),
                 "the page is of another program")


def installed(world, build):
    prefix = world.folder / "prefix"
    command(world, "cmake", "--install", build, "--prefix", prefix)
    works(world, prefix)


def packaged(world, build):
    if not shutil.which("dpkg-shlibdeps"):
        print("not run: the Debian package dpkg-dev is not installed")
        return
    folder = world.folder / "package"
    command(world, "cpack", "--config", build / "CPackConfig.cmake", "-B", folder)
    packages = {path.name.split("_")[0]: path for path in folder.glob("*.deb")}
    wanted = {"strata", "libstrata0.1", "libstrata-dev"}
    world.expect(wanted <= set(packages) <= wanted | {"python3-strata"}, f"packages: {sorted(packages)}")
    for name, fields in FIELDS.items():
        if name in packages:
            found = command(world, "dpkg-deb", "--field", packages[name])
            for field in (f"Package: {name}\n", *fields):
                world.expect(field in found, f"no {field} in {found}")
    command(world, "dpkg-deb", "--extract", packages["strata"], world.folder / "unpacked")
    works(world, world.folder / "unpacked" / "usr")
    linted(world, packages.values())


def linted(world, packages):
    """What lintian says of the packages is known."""
    if not shutil.which("lintian"):
        print("not run: the Debian package lintian is not installed")
        return
    process = subprocess.run(["lintian", "--allow-root", "--fail-on", "none", *map(str, packages)], text=True,
                             capture_output=True, env=world.environment, check=False)
    tags = [line for line in process.stdout.splitlines() if line[:2] in ("E:", "W:") and line.split()[2] not in KNOWN]
    world.expect(process.returncode == 0 and not tags, f"lintian: {process.returncode}, {process.stderr}" +
                 "\n".join(tags))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--build", required=True, type=Path)
    arguments = parser.parse_args()
    tests = (installed, packaged)
    build = arguments.build.resolve()
    return attack.in_world(arguments.strata, [(test.__name__, lambda world, test=test: test(world, build))
                                              for test in tests])


if __name__ == "__main__":
    sys.exit(main())
