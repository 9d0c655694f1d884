"""Templates (.mdve) that try to run programs, to read, make and change files, and to go on for ever.

    python3 templates.py --strata PATH [--long]

Each attack is a template; afterwards no file may have been made, and the secret of a file beside the folder of the
model may not be in what Strata says. --long tries every way to name a macro with every macro, and waits for the
time limit. Exit code 77: there is no m4."""

import argparse
import itertools
import os
import shutil
import signal
import sys
import time

import attack

MODEL = "process P { state a; init a; trans a -> a {}; } system async;\n"
SECRET = "hidden9876"

# The macros of m4 that reach out, with arguments that would do harm.
REACHING = {
    "syscmd": "`echo x > MADE; cat SECRET_FILE >&2'",
    "esyscmd": "`echo x > MADE; cat SECRET_FILE'",
    "include": "`SECRET_FILE'",
    "sinclude": "`SECRET_FILE'",
    "undivert": "`SECRET_FILE'",
    "maketemp": "`MADEXXXXXX'",
    "mkstemp": "`MADEXXXXXX'",
    "debugfile": "`MADE'",
}

# Ways to call a macro NAME with ARGUMENTS.
WAYS = {
    "plainly": "NAME(ARGUMENTS)",
    "inside a line": "byte x; NAME(ARGUMENTS)",
    "through builtin": "builtin(`NAME', ARGUMENTS)",
    "through indir": "indir(`NAME', ARGUMENTS)",
    "through indir and builtin": "indir(`builtin', `NAME', ARGUMENTS)",
    "through builtin twice": "builtin(`builtin', `NAME', ARGUMENTS)",
    "by another name": "define(`other', defn(`NAME'))other(ARGUMENTS)",
    "by another name, from builtin": "define(`other', builtin(`defn', `NAME'))other(ARGUMENTS)",
    "after popdef": "popdef(`NAME')popdef(`builtin')NAME(ARGUMENTS)builtin(`NAME', ARGUMENTS)",
    "after undefine": "undefine(`NAME')undefine(`builtin')NAME(ARGUMENTS)builtin(`NAME', ARGUMENTS)",
    "after pushdef": "pushdef(`NAME', `x')popdef(`NAME')NAME(ARGUMENTS)",
    "from a body": "define(`harm', `NAME(ARGUMENTS)')harm",
    "at the end": "m4wrap(`NAME(ARGUMENTS)')",
    "with the end changed": "define(`m4exit', `')define(`strata_refuse', `')NAME(ARGUMENTS)builtin(`NAME', ARGUMENTS)",
    "in an evaluation": "ifelse(NAME(ARGUMENTS), `', `', `')",
    "from a loop": "forloop(`i', 1, 2, `NAME(ARGUMENTS)')",
    "in a diversion": "divert(1)NAME(ARGUMENTS)divert(0)",
}


def templates(ways, names):
    for way, name in itertools.product(ways, names):
        yield f"{name} {way}", WAYS[way].replace("NAME", name).replace("ARGUMENTS", REACHING[name])


def try_all(world, attacks):
    made = world.folder / "made"
    made.mkdir()
    secret = world.folder / "secret"
    secret.write_text(SECRET + "\n", encoding="utf-8")
    for name, text in attacks:
        text = text.replace("SECRET_FILE", str(secret)).replace("MADE", str(made / "file"))
        path = world.write("attack.mdve", text + "\n" + MODEL)
        code, output, errors = world.run(["info", path], 30)
        world.expect(SECRET not in output + errors, f"{name}: the secret was read\n{text}")
        world.expect(not list(made.iterdir()), f"{name}: a file was made\n{text}")
        world.expect(code in (0, 150), f"{name}: exit code {code}\n{errors}")
        for path in made.iterdir():
            path.unlink()
    world.expect_clean("after all")


def harmless(world):
    """What templates do use goes on to work."""
    world.write("part.m4", "define(`N', 3)\n")
    path = world.write("good.mdve", "include(`part.m4')dnl\ndefault(N, 2)\nbyte x = N;\n" + MODEL)
    code, output, errors = world.run(["info", path])
    world.expect(code == 0 and "x" in output, f"an include of the same folder: {errors}")
    path = world.write("words.mdve", "byte syscmd = 1, include = 2;\n" + MODEL)
    world.expect(world.run(["info", path])[0] == 0, "variables with the names of macros")


def links(world):
    """Neither .. nor a link leads out of the folder."""
    (world.folder / "secret").write_text(SECRET + "\n", encoding="utf-8")
    (world.folder / "models" / "link").symlink_to("../secret")
    (world.folder / "models" / "up").symlink_to("..")
    for name in ("../secret", "link", "up/secret", str(world.folder / "secret"), "/dev/zero", "/proc/self/environ"):
        path = world.write("attack.mdve", f"include(`{name}')\n{MODEL}")
        code, output, errors = world.run(["info", path], 30)
        world.expect(code == 150 and "only files in the folder of the model" in errors and SECRET not in output +
                     errors, f"include {name}: exit code {code}\n{errors}")


ENDLESS = "define(`again', `again')again\n"


def m4_runs(world):
    return any(command.startswith("m4") for _, command in world.processes())


def ended_with_us(world):
    """m4 ends when Strata is killed, by whatever signal."""
    path = world.write("endless.mdve", ENDLESS)
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        process = world.start(["info", path])
        world.expect(attack.wait_until(lambda: m4_runs(world), 10), f"{number.name}: m4 did not start")
        begin = time.monotonic()
        process.send_signal(number)
        code = process.wait(30)
        seconds = time.monotonic() - begin
        # signals.py is strict; this one may run beside other tests.
        world.expect(seconds < 5 and code == (-9 if number == signal.SIGKILL else 130),
                     f"{number.name}: exit code {code} after {seconds:.1f} s")
        if number == signal.SIGKILL:
            # SIGKILL leaves the files; the next run removes them.
            for left in (world.folder / "temporary").iterdir():
                shutil.rmtree(left)
        world.expect_clean(number.name)


def too_large(world):
    path = world.write("large.mdve", "define(`big', format(`%1000000d', 1))forloop(`i', 1, 20, `big')\n")
    code, _, errors = world.run(["info", path], 30)
    world.expect(code == 150 and "larger than 16 MiB" in errors, f"exit code {code}\n{errors}")
    path = world.write("hungry.mdve", "define(`x', format(`%2000000000d', 1)format(`%2000000000d', 2))x\n")
    code, _, errors = world.run(["info", path], 30)
    world.expect(code == 150, f"memory: exit code {code}\n{errors}")


def too_long(world):
    begin = time.monotonic()
    code, _, errors = world.run(["info", world.write("endless.mdve", ENDLESS)], 60)
    seconds = time.monotonic() - begin
    world.expect(code == 150 and "did not end within 10 seconds" in errors and seconds < 15,
                 f"exit code {code} after {seconds:.1f} s\n{errors}")


def terminal(world):
    """What a template says through m4 cannot command the terminal."""
    path = world.write("loud.mdve", "errprint(`\x1b[2Jcleared')m4exit(1)\n")
    code, _, errors = world.run(["info", path])
    world.expect(code == 150 and "\x1b" not in errors, f"an escape sequence was passed on: {errors!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    if not shutil.which("m4"):
        print("skipped: there is no m4")
        return 77
    names = list(REACHING)
    if arguments.long:
        attacks = list(templates(WAYS, names))
    else:
        attacks = [*templates(["plainly", "through builtin", "by another name"], names),
                   *templates(WAYS, ["syscmd", "undivert"])]
    rows = [(f"{len(attacks)} templates", lambda world: try_all(world, attacks)), ("harmless", harmless),
            ("links", links), ("ended with us", ended_with_us), ("terminal", terminal), ("too large", too_large)]
    if arguments.long:
        rows.append(("too long", too_long))
    return attack.in_world(arguments.strata, rows)


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
