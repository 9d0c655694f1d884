"""What the scripts of this folder share: a program that is run in a world of its own, and what it leaves there."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
OLD = '{"verdict": "holds", "states": 1}\n'


class World:
    """A folder with a cache, a temporary folder and a disk, and an environment that marks every process started in
    it."""

    def __init__(self, strata, folder):
        self.strata = os.path.abspath(strata)
        self.folder = pathlib.Path(folder)
        self.mark = f"STRATA_ATTACK={uuid.uuid4().hex}"
        for name in ("cache", "temporary", "disk", "models"):
            (self.folder / name).mkdir()
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"),
                            "TMPDIR": str(self.folder / "temporary"), **dict([self.mark.split("=")])}
        self.problems = []

    def write(self, name, text):
        path = self.folder / "models" / name
        path.write_text(text, encoding="utf-8")
        return path

    def expect(self, condition, what):
        if not condition:
            self.problems.append(what)

    def run(self, arguments, timeout=120, **changes):
        """A finished run: exit code, standard output and standard error."""
        process = subprocess.run([self.strata, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                                 timeout=timeout, env={**self.environment, **changes}, check=False)
        return process.returncode, process.stdout.decode("utf-8", "replace"), process.stderr.decode("utf-8", "replace")

    def start(self, arguments, **options):
        """A run in a process group of its own, its outputs in files unless told otherwise."""
        streams = {"stdout": self.open("stdout"), "stderr": self.open("stderr")}
        return subprocess.Popen([self.strata, *map(str, arguments)], stdin=subprocess.DEVNULL, start_new_session=True,
                                env=self.environment, **{**streams, **options})

    def open(self, name):
        return open(self.folder / name, "wb")

    def said(self):
        return (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")

    def processes(self):
        """The processes of this world that still run, by what they are called."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append((int(folder.name), (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
            except OSError:
                pass
        return found

    def expect_clean(self, after):
        """No process, no temporary file, no run folder; nothing in the cache that is half made."""
        deadline = time.monotonic() + 3
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.expect(not self.processes(), f"{after}: still running: {self.processes()}")
        for process, _ in self.processes():
            os.kill(process, signal.SIGKILL)
        for name in ("temporary", "disk"):
            left = sorted(path.name for path in (self.folder / name).iterdir())
            self.expect(not left, f"{after}: left in the folder {name}: {left}")
        cache = self.folder / "cache" / "strata"
        left = [path.name for path in cache.iterdir() if path.suffix not in (".so", ".cc")] if cache.exists() else []
        self.expect(not left, f"{after}: left in the cache: {left}")


def wait_until(condition, seconds=60):
    """Whether the condition came true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return False


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def in_world(strata, attacks):
    """Runs each attack, a name and a function of a world, in a world of its own; the exit code of the script."""
    failed = 0
    for name, attack in attacks:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="strata-attack-") as folder:
            world = World(strata, folder)
            attack(world)
        print(f"{name}: {len(world.problems)} problem(s), {time.monotonic() - begin:.1f} s", flush=True)
        for problem in world.problems:
            print(f"FAILED {name}: {problem}", flush=True)
        failed += bool(world.problems)
    return 1 if failed else 0
