"""Manual pages and completions are made of the tables: each option of options.def, each algorithm and each command
is in them, the pages are without warnings, and the shells take the completions.

    python3 pages.py --strata PATH"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

ROWS = re.compile(r'OPTION\(\w+, ([^"]*), k(?:Once|Many), "(-[^"]+)", "([^"]*)"')


def commands(world):
    """As `strata --help` lists them."""
    return re.findall(r"^  strata ([a-z]+) ", world.run(["--help"])[1], re.MULTILINE)


def options():
    """Command -> names of its options, from options.def."""
    text = " ".join((attack.ROOT / "src/options/options.def").read_text(encoding="utf-8").split())
    found = {}
    for words, name, argument in ROWS.findall(text):
        for command in re.findall(r"\bk([A-Z]\w*)", words):
            found.setdefault(command.lower(), []).append((name, argument))
    languages = (attack.ROOT / "src/lang/languages.def").read_text(encoding="utf-8")
    for command in ("check", "info", "simulate", "graph"):
        found[command] += re.findall(r'"(--[a-z]+)",\s*"([^"]*)"', languages)
    return found


def algorithms(world):
    return re.findall(r"^(\w+) ", world.run(["algorithms"])[1], re.MULTILINE)


def plain(page):
    return page.replace("\\-", "-")


def pages(world):
    for command in ["", *commands(world)]:
        code, page, errors = world.run(["--man", *([command] if command else [])])
        path = world.write(f"strata-{command}.1", page)
        world.expect(code == 0 and page.startswith(".TH STRATA"), f"--man {command}: {code}, {errors}")
        if shutil.which("mandoc"):
            lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], text=True, capture_output=True,
                                  check=False)
            # Pages bear no date: it would change with each build.
            problems = [line for line in lint.stdout.splitlines() if "missing date" not in line]
            world.expect(not problems, f"--man {command}: {problems}")
        for name, _ in options().get(command, []):
            world.expect(f"\\fB{name}\\fR" in plain(page), f"the page of {command} does not have {name}")
    for name in algorithms(world):
        world.expect(f"\\fB{name}\\fR" in plain(world.run(["--man", "check"])[1]),
                     f"the page of check does not have {name}")
    world.expect(shutil.which("mandoc") is not None, "mandoc is not installed: apt-get install mandoc")
    installed = re.search(r"foreach\(command ([^)]*)\)",
                          (attack.ROOT / "cmake/install.cmake").read_text(encoding="utf-8"))
    world.expect(sorted(installed.group(1).split()) == sorted(commands(world)),
                 f"cmake/install.cmake installs the pages of {installed.group(1)}, not of {commands(world)}")


def tables(world):
    """Each completion has each option of each command, and each algorithm."""
    known = options()
    world.expect(set(commands(world)) - {"murphi"} <= set(known), f"{commands(world)} and {sorted(known)}")
    for shell in ("bash", "zsh", "fish"):
        code, script, errors = world.run(["--completion", shell])
        world.expect(code == 0, f"{shell}: {code}, {errors}")
        for command, rows in known.items():
            for name, _ in rows:
                shown = {"bash": name, "zsh": f"*{name}", "fish": f"-l {name[2:]} " if name.startswith("--")
                         else f"-s {name[1:]} "}
                world.expect(shown[shell] in script, f"{shell}: no {name} of {command}")
        for name in algorithms(world):
            world.expect(re.search(rf"[\s'(]{name}[\s')]", script), f"{shell}: no algorithm {name}")
    code, _, errors = world.run(["--completion", "tcsh"])
    world.expect(code == 151 and "not one of bash, zsh, fish" in errors, f"tcsh: {code}, {errors}")


def complete_in_bash(world, *words):
    """What bash offers for the last word."""
    script = world.run(["--completion", "bash"])[1] + (
        f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}; _strata; "
        "printf '%s\\n' \"${COMPREPLY[@]}\"")
    found = subprocess.run(["bash", "--norc", "-c", script], text=True, capture_output=True, cwd=world.folder,
                           check=False)
    world.expect(found.stderr == "", f"bash: {found.stderr}")
    return found.stdout.split()


def shells(world):
    (world.folder / "model.m").write_text("", encoding="utf-8")
    for words, wanted in ((["strata", "che"], ["check"]), (["strata", "check", "--trac"], ["--trace", "--trace-file"]),
                          (["strata", "check", "--trace", "f"], ["full"]),
                          (["strata", "check", "--algorithm", "hd"], ["hddd"]),
                          (["strata", "check", "mod"], ["models", "model.m"]), (["strata", "murphi", "-nd"], ["-ndl"]),
                          (["strata", "check", "--disk", "dis"], ["disk"]), (["strata", "--completion", "z"], ["zsh"])):
        found = complete_in_bash(world, *words)
        world.expect(sorted(found) == sorted(wanted), f"bash: {words} gives {found}")
    for shell, command in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
        path = world.write(f"completion.{shell}", world.run(["--completion", shell])[1])
        if shutil.which(shell) is None:
            print(f"not run: {shell} is not installed")
            continue
        checked = subprocess.run([*command, path], text=True, capture_output=True, check=False)
        world.expect(checked.returncode == 0 and checked.stderr == "", f"{shell}: {checked.stderr}")
    if shutil.which("fish"):
        path = world.folder / "models" / "completion.fish"
        found = subprocess.run(["fish", "--no-config", "-c",
                                f"source {path}; complete -C 'strata check --algorithm hd'"], text=True,
                               capture_output=True, check=False, env={**world.environment, "HOME": str(world.folder)})
        world.expect(found.stdout.split()[:1] == ["hddd"], f"fish: {found.stdout}{found.stderr}")


def version(world):
    code, out, _ = world.run(["--version"])
    version = r"strata \d+\.\d+\.\d+\n(commit [0-9a-f]{12}\n)?features: io_uring, (no )?MPI\nGPUs: .+\n"
    world.expect(code == 0 and re.fullmatch(version, out), out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    tests = (pages, tables, shells, version)
    return attack.in_world(parser.parse_args().strata, [(test.__name__, test) for test in tests])


if __name__ == "__main__":
    sys.exit(main())
