"""The cache of compiled models on bad days: damaged objects, folders of others, no folder at all, runs that are
killed.

    python3 cache.py --strata PATH [--long]

A damaged object must never be run: every answer is compared with the right one. --long damages an object in many
places."""

import argparse
import os
import random
import signal
import stat
import subprocess
import sys
import time

import attack

MODEL = """var x: 0..20; y: 0..3;
startstate begin x := 0; y := 0; end;
rule "up" x < 20 ==> begin x := x + 1; end;
rule "turn" true ==> begin y := (y + 1) % 4; end;
invariant "small" x <= 20;
"""
ANSWER = (84, 164)


def check(world, what, **changes):
    """Runs the model, and expects the right answer; what was said on standard error."""
    path = world.write("model.m", MODEL)
    report = world.folder / "report.json"
    code, _, errors = world.run(["check", path, "--algorithm", "ram", "--json", report, "--progress", "off"], **changes)
    found = attack.read_json(report) or {}
    world.expect(code == 0 and (found.get("states"), found.get("transitions")) == ANSWER,
                 f"{what}: exit code {code}, {found.get('states')} states, {found.get('transitions')} rules "
                 f"fired\n{errors}")
    return errors


def cache_of(world):
    return world.folder / "cache" / "strata"


def the_object(world):
    return next(cache_of(world).glob("*.so"))


def damaged(world, places, seed=1):
    """Objects that were cut short, lengthened, or have one bit flipped."""
    check(world, "a first run")
    path = the_object(world)
    good = path.read_bytes()
    chance = random.Random(seed)
    cuts = [0, 1, 63, 4096, len(good) // 2, len(good) - 1]
    flips = [chance.randrange(len(good)) for _ in range(places)]
    texts = [(f"cut to {size} bytes", good[:size]) for size in cuts[-places:]]
    for place in flips:
        changed = bytearray(good)
        changed[place] ^= 1 << chance.randrange(8)
        texts.append((f"bit flipped in byte {place}", bytes(changed)))
    texts.append(("another file", b"not an object\n"))
    for what, text in texts:
        path.write_bytes(text)
        check(world, what)
        world.expect(path.read_bytes() != text, f"{what}: the damaged object is still there")
    before = path.stat().st_mtime_ns
    os.utime(path, ns=(before, 10**18))
    check(world, "a run after all")
    world.expect(path.read_bytes()[:4] == b"\x7fELF", "the object is none")
    world.expect_clean("damaged objects")


def no_plain_files(world):
    """A folder, a FIFO or a device in the place of an object, of its source or of its lock: nothing hangs."""
    check(world, "a first run")
    for suffix in (".so", ".cc", ".lock"):
        path = the_object(world).with_suffix(suffix)
        for kind in ("FIFO", "device", "folder", "full folder"):
            for other in (path, the_object(world) if suffix == ".cc" else path):
                other.unlink(missing_ok=True)
            if kind == "FIFO":
                os.mkfifo(path)
            elif kind == "device":
                path.symlink_to("/dev/zero")
            else:
                path.mkdir()
            if kind == "full folder":
                (path / "file").write_text("x", encoding="utf-8")
            if suffix == ".lock" and kind != "FIFO":
                the_object(world).unlink()
            refused = kind == "full folder" or (suffix == ".lock" and kind != "FIFO")
            if not refused:
                check(world, f"a {kind} in the place of KEY{suffix}")
            else:
                code, _, errors = world.run(["check", world.write("model.m", MODEL), "--progress", "off"], timeout=60)
                world.expect(code == 153 and "cache of compiled models" in errors or "is in the way" in errors,
                             f"a {kind} in the place of KEY{suffix}: exit code {code}\n{errors}")
                for file in path.iterdir() if path.is_dir() else []:
                    file.unlink()
                path.rmdir() if path.is_dir() else path.unlink()
                check(world, f"after a {kind} in the place of KEY{suffix}")


def rights(world):
    """The folder is the user's alone, and is refused when it is not."""
    for mask in ("000", "027", "777"):
        cache = world.folder / f"cache-{mask}"
        process = subprocess.run(["sh", "-c", f'umask {mask}; exec "$@"', "sh", world.strata, "check",
                                  world.write("model.m", MODEL), "--progress", "off"], capture_output=True, text=True,
                                 env={**world.environment, "XDG_CACHE_HOME": str(cache)}, check=False)
        mode = stat.S_IMODE((cache / "strata").stat().st_mode)
        world.expect(process.returncode == 0 and mode == 0o700,
                     f"umask {mask}: exit code {process.returncode}, rights {mode:o}\n{process.stderr}")
    path = world.write("model.m", MODEL)
    for mode in (0o770, 0o707, 0o777):
        (world.folder / "cache-000" / "strata").chmod(mode)
        code, _, errors = world.run(["check", path], XDG_CACHE_HOME=str(world.folder / "cache-000"))
        world.expect(code == 153 and "others may write to it" in errors, f"rights {mode:o}: exit code {code}\n{errors}")
    linked = world.folder / "linked"
    linked.mkdir()
    (linked / "strata").symlink_to(world.folder / "cache-027" / "strata")
    code, _, errors = world.run(["check", path], XDG_CACHE_HOME=str(linked))
    world.expect(code == 153 and "it is a link" in errors, f"a link: exit code {code}\n{errors}")


def unwritable(world):
    """Without a folder to write to, another one is used, and a note says so."""
    (world.folder / "file").write_text("x", encoding="utf-8")
    for changes in ({"XDG_CACHE_HOME": str(world.folder / "file")},
                    {"XDG_CACHE_HOME": "", "HOME": "/proc/nothing"}):
        errors = check(world, str(changes), **changes)
        world.expect("note: cannot make the cache" in errors and "this run uses" in errors, f"no note: {errors}")
    private = world.folder / "temporary" / f"strata-cache-{os.geteuid()}"
    world.expect(stat.S_IMODE(private.stat().st_mode) == 0o700, "the other folder is not private")
    world.expect(check(world, "without a home", XDG_CACHE_HOME="", HOME="") == "", "a note where there is none to give")


def foreign_names(world):
    """Strata does not touch other files in the folder."""
    check(world, "a first run")
    the_object(world).unlink()
    stranger = cache_of(world) / "libprecious.so"
    with open(stranger, "wb") as file:
        file.truncate(600 << 20)
    check(world, "a run beside a large file")
    world.expect(stranger.exists(), "a file of another name was removed")


def killed(world):
    """A run that is killed while it compiles leaves nothing that the next one minds."""
    slow = world.write("slow-compiler", "#!/bin/sh\necho x > \"$TMPDIR/cc1.s\"\nsleep 60 &\nwait\n")
    slow.chmod(0o755)
    path = world.write("model.m", MODEL)
    world.environment["CXX"] = str(slow)
    process = world.start(["check", path])
    world.expect(attack.wait_until(lambda: list(cache_of(world).glob("*.work-/cc1.s"))), "the compiler did not start")
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    world.expect(attack.wait_until(lambda: not world.processes(), 5), f"still running: {world.processes()}")
    del world.environment["CXX"]
    check(world, "the run after a killed one")
    world.expect_clean("the run after a killed one")


def together(world):
    """Several runs at once, as ranks of one host, compile once, and all are right."""
    path = world.write("model.m", MODEL)
    calls = world.folder / "calls"
    compiler = world.write("counted", f'#!/bin/sh\necho "$@" >>"{calls}"\nsleep 0.3\nexec '
                                      f'{os.environ.get("CXX", "c++")} "$@"\n')
    os.chmod(compiler, 0o755)
    world.environment["CXX"] = str(compiler)
    runs = [world.start(["check", path, "--progress", "off"], stdout=subprocess.DEVNULL) for _ in range(4)]
    codes = [run.wait(120) for run in runs]
    del world.environment["CXX"]
    world.expect(codes == [0] * 4, f"exit codes {codes}")
    world.expect(len(list(cache_of(world).glob("*.so"))) == 1, "more than one object")
    world.expect(calls.read_text().count("\n") == 1, f"the compiler was called more than once:\n{calls.read_text()}")
    world.expect_clean("several runs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    places = 60 if arguments.long else 2
    return attack.in_world(arguments.strata, [
        ("damaged", lambda world: damaged(world, places, arguments.seed)), ("no plain files", no_plain_files),
        ("rights", rights), ("unwritable", unwritable), ("foreign names", foreign_names), ("killed", killed),
        ("together", together)])


if __name__ == "__main__":
    sys.exit(main())
