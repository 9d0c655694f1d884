"""Liveness properties and AG EF p with the states on disk, from outside: the same answers and paths as in RAM,
within the memory, on several disks, with limits and ^C, and nothing left behind.

    python3 goals_on_disk.py --strata PATH

Exit code: 0 all as expected, 1 something was wrong."""

import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MEBIBYTE = 1 << 20
# 2^20 states, of which a search in RAM with 16 MiB has room for some. Every state can reach every other one.
FLIPS = """\
var x: array [0..19] of boolean;
startstate for i: 0..19 do x[i] := false; end; end;
ruleset i: 0..19 do rule "flip" x[i] := !x[i]; end; end;
"""
# The same with twelve cells and a cell that stays set: from then on the others can only be cleared.
TRAP = """\
var x: array [0..11] of boolean; caught: boolean;
startstate for i: 0..11 do x[i] := false; end; caught := false; end;
ruleset i: 0..11 do
  rule "set" !caught & !x[i] ==> x[i] := true; end;
  rule "clear" x[i] ==> x[i] := false; end;
end;
rule "trap" x[0] & x[1] & x[2] ==> caught := true; end;
"""
MODELS = {
    # 2^21: with these properties, a search in RAM keeps nothing but the states.
    "flips.m": (FLIPS + 'liveness "home" forall i: 0..19 do !x[i] end; '
                'ruleset i: 0..19 do liveness "set" x[i]; end;').replace(
        "0..19", "0..20"),
    "plain.m": FLIPS,
    "home.m": TRAP + 'liveness "home" forall i: 0..11 do !x[i] end; liveness "one" x[0] | !x[0];',
    "free.m": TRAP + 'liveness "home" forall i: 0..11 do !x[i] end; liveness "free" !caught; liveness "top" x[11];',
    "undefined.m": "var x, y: 0..3; startstate x := 0; undefine y; end; rule x < 3 ==> x := x + 1; end; "
                   "liveness x = 3 & y = 0;",
}


class Checks:
    def __init__(self, strata, folder):
        self.strata, self.folder, self.problems = strata, folder, []
        self.disks = [folder / "disk_a", folder / "disk_b"]
        for disk in self.disks:
            disk.mkdir()
        for name, text in MODELS.items():
            (folder / name).write_text(text, encoding="utf-8")

    def command(self, model, *options):
        disks = [word for disk in self.disks for word in ("--disk", str(disk))]
        return [self.strata, "check", model, "--deadlock", "off", "--progress", "off", "--json", "-", *disks, *options]

    def run(self, model, *options):
        found = subprocess.run(self.command(model, *options), cwd=self.folder, capture_output=True, text=True,
                               timeout=600, check=False)
        return found.returncode, json.loads(found.stdout) if found.stdout else {}, found.stderr

    def expect(self, condition, what, seen):
        if not condition:
            self.problems.append(f"{what}\n  {json.dumps(seen)[:1500] if isinstance(seen, dict) else seen}")

    def expect_empty(self, after):
        left = [path.name for disk in self.disks for path in disk.iterdir()]
        self.expect(not left, f"{after}: left on the disks", str(left))

    def same_as_in_ram(self):
        for model, options in (("home.m", []), ("free.m", []), ("free.m", ["--max-errors", "5"]),
                               ("plain.m", ["--ltl", 'AG EF "x[0] & x[19]"'])):
            code, ram, _ = self.run(model, *options)
            for threads in ("1", "2") if not options else ("2",):
                disk_code, disk, errors = self.run(model, *options, "--set", "ram=0", "--threads", threads, "--memory",
                                                   "32M")
                name = f"{model} {options} {threads}"
                self.expect(disk_code == code, f"{name}: exit code {disk_code}, in RAM {code}", errors)
                self.expect(disk["details"]["search"] == "disk" and ram["details"]["search"] == "ram", f"{name}: where",
                            disk)
                for key in ("verdict", "states", "counterexample", "errors", "property"):
                    self.expect(disk[key] == ram[key], f"{name}: {key} differs", {"disk": disk[key], "ram": ram[key]})
                self.expect(disk["disk"]["peak"] > 0, f"{name}: no disk is reported", disk)
        self.expect_empty("answers")

    def beyond_memory(self):
        code, found, errors = self.run("flips.m", "--memory", "16M")
        self.expect(code == 0 and found["states"] == 1 << 21, f"16 MiB: exit code {code}", errors)
        self.expect(found["details"]["switched"] and found["details"]["search"] == "disk", "16 MiB: where", found)
        self.expect("states_in_ram" not in found["details"], "16 MiB: RAM was tried in vain", found)
        self.expect(found["memory"]["peak_rss"] <= 24 * MEBIBYTE, "16 MiB: too much memory", found)
        code, found, errors = self.run("plain.m", "--ltl", 'AG EF "x[0]"', "--memory", "16M")
        self.expect(code == 0 and found["algorithm"] == "recurrence", f"AG EF, 16 MiB: exit code {code}", errors)
        self.expect(found["details"]["search"] == "disk" and found["details"]["states_in_ram"] > 0, "AG EF: where",
                    found)
        self.expect(found["memory"]["peak_rss"] <= 24 * MEBIBYTE, "AG EF: too much memory", found)
        code, found, errors = self.run("plain.m", "--ltl", 'AG EF "x[0]"', "--memory", "16M", "--algorithm", "ram")
        self.expect(code == 152 and found["stop"] == "memory", f"AG EF in RAM alone: exit code {code}", errors)
        self.expect_empty("beyond memory")

    def limits(self):
        code, found, errors = self.run("flips.m", "--set", "ram=0", "--memory", "64M", "--disk-limit", "4M")
        self.expect(code == 152 and found["stop"] == "disk", f"--disk-limit: exit code {code}", errors)
        code, found, errors = self.run("plain.m", "--ltl", 'AG EF "x[0]"', "--set", "ram=0", "--time-limit", "0.5")
        self.expect(code in (0, 152), f"--time-limit: exit code {code}", errors)
        self.expect(code == 0 or found["stop"] == "time", "--time-limit: the reason", found)
        code, found, errors = self.run("undefined.m", "--set", "ram=0")
        self.expect(code == 75 and "y is read but undefined" in errors, f"an undefined goal: exit code {code}", errors)
        code, found, errors = self.run("plain.m", "--ltl", 'AG EF "x[0]"', "--set", "ram=2")
        self.expect(code == 151, f"--set ram=2: exit code {code}", errors)
        self.expect_empty("limits")

    def interrupted(self):
        process = subprocess.Popen(self.command("plain.m", "--ltl", 'AG EF "x[0]"', "--set", "ram=0", "--threads", "1"),
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stderr.readline()
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.expect(process.returncode == 130, f"^C: exit code {process.returncode}", errors)
        self.expect(json.loads(output)["stop"] == "interrupted", "^C: the reason", output)
        self.expect_empty("^C")

    def all(self):
        self.same_as_in_ram()
        self.beyond_memory()
        self.limits()
        self.interrupted()
        return self.problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    strata = str(pathlib.Path(parser.parse_args().strata).resolve())
    with tempfile.TemporaryDirectory() as folder:
        found = Checks(strata, pathlib.Path(folder)).all()
    print("\n".join(f"FAILED {problem}" for problem in found))
    print(f"{len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
