"""`--device` as users meet it, on a machine without a GPU or with one.

    python3 devices.py --strata PATH

The kernels run on the processor (--device host); what cannot run there, and what a machine does not have, is said in
one line."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
# No library of CUDA is found: neither a GPU nor a compiler for it.
WITHOUT_CUDA = {"STRATA_CUDA": "/nonexistent", "CUDA_HOME": "", "CUDA_PATH": ""}


class World:
    def __init__(self, strata, folder):
        self.strata, self.folder, self.problems = strata, folder, []

    def expect(self, holds, what):
        if not holds:
            self.problems.append(what)

    def check(self, model, *arguments, environment=None):
        return self.run("check", EXAMPLES / model, *arguments, environment=environment)

    def run(self, *arguments, environment=None):
        """Exit code, report and messages."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = subprocess.run([self.strata, *arguments, "--progress", "off", "--json", report],
                              capture_output=True, text=True, check=False,
                              env=dict(os.environ, **(environment or {})))
        result = json.loads(report.read_text()) if report.exists() else {}
        return done.returncode, result, done.stdout, done.stderr


def on_host(world):
    """The answer is that of ram, and the report names the device."""
    for model, expected in (("peterson.m", 0), ("lock_race.m", 12), ("overflow.dve", 75), ("dining.m", 11)):
        code, cpu, _, _ = world.check(model, "--algorithm", "ram", "--symmetry", "off")
        world.expect(code == expected, f"{model}: exit code {code}")
        code, gpu, out, errors = world.check(model, "--device", "host", "--symmetry", "off")
        world.expect(code == expected and gpu.get("algorithm") == "gpu", f"{model} on the host: {code}, {errors}")
        for name in ("verdict", "states", "transitions", "levels", "counterexample", "coverage"):
            world.expect(gpu.get(name) == cpu.get(name), f"{model}: {name} {gpu.get(name)}, not {cpu.get(name)}")
        device = gpu.get("device") or {}
        world.expect(device.get("architecture") == "host", f"{model}: device {device}")
        world.expect("Device host, " in out and "\tdevice host, " in out, f"{model}: {out[:400]}")
    code, report, _, _ = world.check("peterson.m", "--algorithm", "ram")
    world.expect(report.get("device", 0) is None, f"without a device: {report.get('device')}")


def folded(world):
    """`--fold on` keeps states of more than 8 bytes as trees, with ram's answer; `--fold auto` keeps them whole."""
    for model, expected in (("msi.m", 0), ("msi_bug.m", 12)):
        code, cpu, _, _ = world.check(model, "--algorithm", "ram", "--symmetry", "off", "--fold", "off")
        world.expect(code == expected, f"{model}: exit code {code}")
        code, gpu, _, errors = world.check(model, "--device", "host", "--symmetry", "off", "--fold", "on")
        world.expect(code == expected, f"{model} folded on the host: {code}, {errors}")
        for name in ("verdict", "states", "transitions", "levels", "counterexample", "coverage"):
            world.expect(gpu.get(name) == cpu.get(name), f"{model} folded: {name} {gpu.get(name)}, not {cpu.get(name)}")
        kinds = (gpu.get("device", {}).get("slots"), gpu.get("folding", {}).get("mode"))
        world.expect(kinds == ("folded", "on"), f"{model} --fold on: {kinds}")
    for model, fold in (("msi.m", "auto"), ("dining.m", "on")):
        _, report, _, _ = world.check(model, "--device", "host", "--symmetry", "off", "--fold", fold)
        kinds = (report.get("device", {}).get("slots"), report.get("folding", {}).get("mode"))
        world.expect(kinds in (("states", "off"), ("places", "off")), f"{model} --fold {fold}: {kinds}")


def on_processor(world):
    """What cannot run on a device runs on the processor, with one warning; with --algorithm gpu it is refused."""
    cases = [("--ltl", 'G F "pc[0] = Critical"', "search for cycles"),
             ("--store", "signatures", "keeps states exactly")]
    for option, value, words in cases:
        code, report, _, errors = world.check("peterson.m", "--device", "host", "--symmetry", "off", option, value)
        world.expect(code in (0, 13) and report.get("device", 0) is None and words in errors and "warning" in errors,
                     f"{option} {value}: {code}, {errors}")
    code, _, _, errors = world.check("peterson.m", "--algorithm", "ram", "--device", "host")
    world.expect(code == 151 and "--device host: the algorithm ram runs on the processor" in errors, errors)


def absurd(world):
    for arguments, words in ((["--device", "first"], "'first' is not auto, none, host or the number"),
                             (["--device", "-1"], "'-1' is not auto"),
                             (["--device-memory", "10"], "needs at least 1M")):
        code, _, _, errors = world.check("peterson.m", *arguments)
        world.expect(code == 151 and words in errors, f"{arguments}: {code}, {errors}")


def beyond(world):
    """A search for which the device is too small continues in the host's memory, with ram's answer, if it may."""
    model = ("peterson.m", "-D", "N=4", "--symmetry", "off")
    _, cpu, _, _ = world.check(*model, "--algorithm", "ram")
    for levels in ("exact", "free"):
        code, gpu, _, errors = world.check(*model, "--device", "host", "--device-memory", "1M", "--algorithm", "gpu",
                                           "--set", f"beyond={levels}")
        details, shares = gpu.get("details") or {}, ((gpu.get("device") or {}).get("memory") or {}).get("plan") or {}
        world.expect(code == 0 and 0 < details.get("beyond_at_states", 0) < cpu["states"],
                     f"1 MiB, beyond={levels}: {code}, {details}, {errors}")
        for name in ("verdict", "states", "transitions", "coverage", *(["levels"] if levels == "exact" else [])):
            world.expect(gpu.get(name) == cpu.get(name), f"{levels}: {name} {gpu.get(name)}, not {cpu.get(name)}")
        world.expect("room" in shares and "list" not in shares, f"shares {shares}")
    code, gpu, _, errors = world.check(*model, "--device", "host", "--device-memory", "1M", "--algorithm", "gpu",
                                       "--set", "beyond=off")
    world.expect(code == 152 and gpu["reason"] == "memory_of_device", f"1 MiB: {code}, {gpu.get('reason')}, {errors}")


def resumed(world):
    """A search that is ended on a device continues there or on the processor, and the other way round."""
    model = ("peterson.m", "-D", "N=4", "--symmetry", "off", "--memory", "200M")
    _, cpu, _, _ = world.check(*model, "--algorithm", "ram")
    cases = [(["--device", "host"], [["--device", "none"]]), (["--device", "host"], [[], ["--device-memory", "100M"]]),
             ([], [["--device", "host"], ["--device", "none"], ["--device", "host"]]),
             (["--algorithm", "gpu", "--device", "host"], [["--device", "none"]]),
             (["--fold", "on"], [["--device", "host"]]),
             (["--device", "host", "--device-memory", "1M"], [[], ["--device", "none"]]),
             (["--algorithm", "gpu", "--device", "host", "--device-memory", "1M", "--set", "beyond=exact"], [[], []])]
    for number, (first, legs) in enumerate(cases):
        folder, seconds = world.folder / f"run{number}", 0.1
        while seconds > 0.001:
            code, report, out, errors = world.check(*model, *first, "--checkpoint", folder, "--time-limit",
                                                    str(seconds))
            if code == 152:
                break
            seconds /= 2
        words = f"Resume with: strata resume {folder}"
        world.expect(code == 152 and words in out,
                     f"{first}: {code}, {out[-300:]}, {errors}")
        for number_of_leg, leg in enumerate(legs):
            limit = [] if number_of_leg + 1 == len(legs) else ["--time-limit", "0.02"]
            if not folder.exists():
                break  # a quick machine had the answer
            code, report, out, errors = world.run("resume", folder, *leg, *(limit or ["--time-limit", "100"]))
            last = leg
            world.expect("Resumed from " in out, f"{first}, then {leg}: {out}, {errors}")
        world.expect(code == 0 and not folder.exists(), f"{first}, then {legs}: {code}, {errors}")
        late = "--device-memory" in first and "beyond=exact" not in first
        for name in ("verdict", "states", "transitions", "coverage", *([] if late else ["levels"])):
            world.expect(report.get(name) == cpu.get(name), f"{first}, then {legs}: {name} {report.get(name)}")
        on_device = last != ["--device", "none"] and "--fold" not in first
        kind = (report.get("algorithm"), report.get("device") is not None)
        world.expect(kind == (("gpu", True) if on_device else ("auto", False)), f"{first}, then {legs}: {kind}")
        if "--fold" in first:
            world.expect("folded, so the processor continues" in errors, f"{first}: {errors}")
    if "No GPU" not in subprocess.run([world.strata, "info", "--devices"], capture_output=True, text=True,
                                      check=False).stdout:
        return
    # A run of a machine with a GPU continues where there is none.
    folder = world.folder / "without"
    world.check(*model, "--device", "host", "--checkpoint", folder, "--time-limit", "0.02")
    code, report, _, errors = world.run("resume", folder, "--device", "auto", "--time-limit", "100",
                                       environment=WITHOUT_CUDA)
    world.expect(code == 0 and report.get("device", 0) is None and "the processor searches" in errors,
                 f"resume without a GPU: {code}, {errors}")


def without_gpu(world):
    """Where CUDA is absent, the processor searches, and the messages say what was looked for."""
    done = subprocess.run([world.strata, "info", "--devices"], capture_output=True, text=True, check=False)
    world.expect(done.returncode == 0 and "host: the processor" in done.stdout, done.stdout + done.stderr)
    if "No GPU" not in done.stdout:
        return
    code, report, _, errors = world.check("peterson.m", "--device", "auto", "--symmetry", "off",
                                          environment=WITHOUT_CUDA)
    world.expect(code == 0 and report.get("device", 0) is None and "the processor searches" in errors and
                 "libcuda" in errors, f"--device auto without CUDA: {code}, {errors}")
    code, _, _, errors = world.check("peterson.m", "--algorithm", "gpu", "--symmetry", "off", environment=WITHOUT_CUDA)
    world.expect(code == 153 and "libcuda" in errors, f"--algorithm gpu without CUDA: {code}, {errors}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", type=pathlib.Path, required=True)
    with tempfile.TemporaryDirectory() as folder:
        world = World(parser.parse_args().strata, pathlib.Path(folder))
        for test in (on_host, folded, on_processor, absurd, beyond, resumed, without_gpu):
            test(world)
    for problem in world.problems:
        print(problem)
    return 1 if world.problems else 0


if __name__ == "__main__":
    sys.exit(main())
