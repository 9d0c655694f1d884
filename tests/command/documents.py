"""Runs the commands that the documentation prints, and compares their output. HACKING.md (Documents) has the
convention.

    python3 documents.py --strata PATH [--long] [PAGE...]

Each page has a scratch folder with `./strata`, `examples` and `strata` on the path; all pages share one cache of
compiled models. Times, sizes, rates and numbers of threads may differ. A command that is not run must still name a
command of Strata and options that it has."""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Verdicts and limits: a command whose output is not shown may end with one of them.
ANSWERS = {0, 11, 12, 13, 14, 75, 152}
BLOCK = re.compile(r"^```(.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
# What differs from machine to machine, and what is written in its place before two outputs are compared.
VARIABLE = [(r"\b(?:compiled|loaded) in ", "ready in "), (r"\bStrata \d+\.\d+\.\d+", "Strata #"),
            (r"\b\d+ threads?\b", "# threads"), (r"\b\d+(?:\.\d+)?(?:e[+-]?\d+)? "
                                                 r"?(?:ms|s|ns|min|h|%|B|[KMGT]iB|[KMG]B)(?![\w])", "#")]


def pages():
    found = [ROOT / "README.md", ROOT / "HACKING.md", ROOT / "bench/README.md", *sorted((ROOT / "doc").rglob("*.md"))]
    return [path for path in found if path.is_file()]


def plain(text):
    for pattern, replacement in VARIABLE:
        text = re.sub(pattern, replacement, text)
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def pattern_of(line):
    if line == "...":
        return r"(?:.*\n)*?"
    return re.escape(line[:-3]) + r".*\n" if line.endswith(" ...") else re.escape(line) + r"\n"


def is_as_shown(shown, output):
    """Whether the output has the lines shown. `...` matches any lines, or the rest of a line."""
    pattern = "".join(map(pattern_of, plain(shown)))
    return re.fullmatch(pattern, "\n".join(plain(output)) + "\n") is not None


def commands(body):
    """The commands of a block, each with the output shown below it."""
    found = []
    for line in body.split("\n")[:-1]:
        if found and found[-1][0].endswith("\\"):
            found[-1][0] = found[-1][0][:-1] + line.lstrip("> ")
        elif line.startswith("$ "):
            found.append([line[2:], ""])
        elif found:
            found[-1][1] += line + "\n"
    return found


class Page:
    """One page: its blocks, in a folder of its own."""

    def __init__(self, path, strata, scratch, takes_long):
        self.path = path
        self.strata = strata
        self.takes_long = takes_long
        self.problems = []
        self.run_commands = 0
        self.folder = scratch / path.relative_to(ROOT).as_posix().replace("/", "-")
        tools = scratch / "tools"
        for folder in (tools, self.folder / "tmp", self.folder / "build"):
            folder.mkdir(parents=True, exist_ok=True)
        for link in (tools / "strata", self.folder / "strata"):
            if not link.exists():
                link.symlink_to(strata)
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        (self.folder / "build/release").symlink_to(strata.parent)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(self.folder),
                            "XDG_CACHE_HOME": str(scratch / "cache"), "TMPDIR": str(self.folder / "tmp"),
                            "NO_COLOR": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.code = 0

    def problem(self, line, text):
        self.problems.append(f"{self.path.relative_to(ROOT)}:{line}: {text}")

    def check(self):
        text = self.path.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            self.check_block(line, block.group(1).split(), block.group(2))
        prose = BLOCK.sub(lambda block: "\n" * block.group(0).count("\n"), text)
        for code in re.finditer(r"`((?:\./)?strata [^`\n]+)`", prose):
            line = prose.count("\n", 0, code.start()) + 1
            command = code.group(1).replace("\\|", "|")
            if re.search(r"\bexamples/[a-z]", command):
                self.run(line, command, "")
            else:
                self.check_options(line, command)

    def check_block(self, line, words, body):
        kind, arguments = (words[0], words[1:]) if words else ("", [])
        if not kind:
            self.problem(line, "a block of code needs a word behind its fence (HACKING.md, Documents)")
        elif kind != "console":
            if arguments:
                self.check_file(line, arguments[0], body)
        elif arguments[:1] == ["norun"] or arguments == ["long"] and not self.takes_long \
                or arguments[:1] == ["needs"] and not all(map(shutil.which, arguments[1:])):
            for command, _ in commands(body):
                self.check_options(line, command)
        else:
            for command, shown in commands(body):
                self.run(line, command, shown)

    def check_file(self, line, name, body):
        """A part of a file of the repository; or a file that the commands below need."""
        if (ROOT / name).is_file():
            if body not in (ROOT / name).read_text(encoding="utf-8"):
                self.problem(line, f"{name} does not have these lines")
        else:
            (self.folder / name).write_text(body, encoding="utf-8")

    def run(self, line, command, shown):
        """`$?` is the exit code of the command before."""
        self.run_commands += 1
        try:
            process = subprocess.run(["bash", "-c", f"(exit {self.code})\n{command}"], cwd=self.folder, text=True,
                                     timeout=300, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, env=self.environment, check=False)
        except subprocess.TimeoutExpired:
            self.problem(line, f"$ {command}\ndid not end within 300 s")
            return
        self.code = process.returncode
        if not shown:
            if self.code not in ANSWERS:
                self.problem(line, f"$ {command}\nends with {self.code}: {process.stdout[-2000:]}")
        elif not is_as_shown(shown, process.stdout):
            difference = difflib.unified_diff(plain(shown), plain(process.stdout), "page", "run", lineterm="", n=1)
            self.problem(line, f"$ {command}\nprints something else:\n" + "\n".join(difference))

    def check_options(self, line, command):
        for name, rest in re.findall(r"\bstrata ([a-z]+)([^|;&<>]*)", re.sub(r" #.*", "", command)):
            known = subprocess.run([self.strata, name, "--help"], text=True, capture_output=True, check=False)
            if known.returncode != 0:
                self.problem(line, f"`{command}`: there is no command {name}")
                continue
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"'[^']*'", "", rest)):
                if name != "murphi" and option not in known.stdout:
                    self.problem(line, f"`{command}`: strata {name} has no option {option}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True, type=Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    arguments = parser.parse_args()
    run = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in [page.resolve() for page in arguments.pages] or pages():
            page = Page(path, arguments.strata.resolve(), Path(scratch).resolve(), arguments.long)
            page.check()
            run += page.run_commands
            failed += len(page.problems)
            for problem in page.problems:
                print(problem)
    if failed or run == 0:
        print(f"{failed} problem(s) in {run} commands")
        return 1
    print(f"ok: {run} commands do what their pages say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
