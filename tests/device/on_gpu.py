#!/usr/bin/env python3
"""Searches on a real GPU against `ram` on the processor.

    tests/device/run [--build DIR] [--models-dir DIR] [--out FILE]

1. Every model of examples and of ../shared/models that fits: the same verdict, exit code, counts, levels, coverage and
   counterexample; where it is reduced by symmetry, with `--symmetry off` too.
2. The unit tests of devices and of the search, on the GPU: random graphs, injected faults.
3. compute-sanitizer (memcheck, racecheck) on ten small models.

Exit code 0 if all of it holds. With --device host, it runs without a GPU."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "common"))
import machine  # noqa: E402

SHARED = ROOT.parent / "shared" / "models"
COMPARED = ("verdict", "states", "transitions", "depth", "levels", "counterexample", "errors", "coverage", "covers",
            "symmetry")
# Reasons for which the processor searches, in the warning that says so.
REFUSALS = ("not proved", "recursi", "put", "guards", "shared object", "cycles", "property changes")


def hash_of(name):
    """An order of models that is the same in every run."""
    return hashlib.sha256(name.encode()).digest()


class OnGpu:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.problems, self.notes = [], []
        self.equal = self.states = 0
        self.refused, self.skipped, self.unfinished = {}, 0, 0
        self.end = time.monotonic() + options.limit

    def memory(self):
        return ["--device-memory", self.options.device_memory] if self.options.device_memory else []

    def call(self, command, **others):
        """A command and its output, ended when this program has no time left; then its exit code is None."""
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **others) as process:
            try:
                output, messages = process.communicate(timeout=max(1, self.end - time.monotonic()))
                return process.returncode, output, messages
            except subprocess.TimeoutExpired:
                process.kill()
                return None, *process.communicate()

    def check(self, model, arguments, limit):
        """Exit code, report and messages of one run."""
        report = self.folder / f"{hash((model, *arguments)):x}.json"
        if model.suffix == ".dve":  # a property process would ask for cycles
            arguments = [*arguments, "--property", "none"]
        code, _, messages = self.call(
            [self.options.strata, "check", model, "--progress", "off", "--json", report,
             "--time-limit", str(limit), "--max-errors", "3", *arguments])
        try:
            result = json.loads(report.read_text())
            return code, result, messages + (result.get("stop_message") or "")
        except (OSError, ValueError):
            return code, None, messages

    def compare(self, model):
        if self.compare_form(model, []):
            self.compare_form(model, ["--symmetry", "off"])

    def compare_form(self, model, form):
        """Whether the model was searched and is reduced by symmetry."""
        expected, cpu, _ = self.check(model, ["--algorithm", "ram", "--fold", "off", *form], self.options.seconds)
        if cpu is None or cpu["stop"] is not None or expected in (130, 150, 151):
            self.skipped += 1  # no model, or too large here
            return False
        code, gpu, messages = self.check(
            model, ["--device", self.options.device, "--fold", self.options.fold, *self.memory(), *form],
            10 * self.options.seconds)
        if code is None:
            self.unfinished += 1
        elif gpu is None:
            self.problems.append(f"{model}: no report, exit code {code}: {messages[-300:]}")
        elif gpu["device"] is None:
            reason = next((word for word in REFUSALS if word in messages), None)
            if reason is None:
                self.problems.append(f"{model}: the processor searched: {messages[-300:]}")
            else:
                self.refused[reason] = self.refused.get(reason, 0) + 1
        else:
            wrong = [name for name in COMPARED if gpu.get(name) != cpu.get(name)]
            wrong += ["exit code"] if code != expected else []
            for name in wrong:
                self.problems.append(
                    f"{model}: {name}: {str(gpu.get(name))[:200]} instead of {str(cpu.get(name))[:200]}")
            if not wrong:
                self.equal += 1
                self.states += gpu["states"]
        return bool((cpu["symmetry"] or {}).get("types"))

    def compare_all(self):
        models = self.models()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            def compare(model):
                if time.monotonic() < self.end:
                    self.compare(model)
                    return True
                return False
            done = sum(pool.map(compare, models))
        if done < len(models) or self.unfinished:
            self.notes.append(f"{len(models) - done} of {len(models)} files not begun and {self.unfinished} not ended "
                              f"within {self.options.limit:.0f} s")

    def models(self):
        folders = [ROOT / "examples", ROOT / "tests" / "models", self.options.models_dir]
        found = [path for folder in folders if folder.is_dir()
                 for path in sorted(folder.rglob("*")) if path.suffix in (".m", ".dve")]
        if self.options.most:
            found = sorted(found, key=lambda path: hash_of(path.name))[:self.options.most]
        return found[self.options.skip:]

    def unit_tests(self):
        tests = [("device_tests", "*Cuda*:*Nvrtc*"), ("search_tests", "*Gpu*:*Beyond*:*BetterKernels*")]
        for program, chosen in tests:
            path = self.options.strata.parent / program
            if not path.exists():
                self.notes.append(f"{program} is not built")
                continue
            environment = dict(os.environ, STRATA_TEST_DEVICE=self.options.device,
                               STRATA_GRAPHS=str(self.options.graphs), STRATA_FAULT_RUNS=str(self.options.faults))
            code, output, _ = self.call([path, f"--gtest_filter={chosen}"], env=environment)
            last = [line for line in output.splitlines() if "PASSED" in line or "FAILED" in line]
            self.notes.append(f"{program} ({chosen}): {'; '.join(last) or 'no result'}")
            if code != 0:
                self.problems.append(f"{program}: exit code {code}: {output[-1500:]}")

    def sanitizers(self):
        tool = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
        if tool is None:
            self.notes.append("compute-sanitizer is not installed")
            return
        small = [ROOT / "examples" / name for name in (
            "peterson.m", "dining.m", "lock_race.m", "overflow.dve", "msi.m", "msi_bug.m")]
        small += [path for path in self.models() if path.suffix == ".dve"][:10]
        runs = [(model, check) for model in [path for path in small if path.exists()][:10]
                for check in ("memcheck", "racecheck")]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            clean = sum(pool.map(lambda run: self.is_clean(tool, *run), runs))
        self.notes.append(f"compute-sanitizer: {clean} of {len(runs)} runs without a finding (memcheck and racecheck)")

    def is_clean(self, tool, model, check):
        """Whether the sanitizer followed the search of a model and found nothing; its summary says so."""
        _, output, messages = self.call(
            [tool, "--tool", check, self.options.strata, "check", model, "--device", self.options.device,
             "--bound", "20", "--progress", "off", *self.memory()])
        clean = re.search(r"SUMMARY: 0 (errors|hazards)", output) is not None
        if not clean:
            self.problems.append(f"{check}, {model}: {(output + messages)[-800:]}")
        return clean


def report(options, run, seconds):
    lines = ["# Tests on a GPU", "", *machine.describe(ROOT, {"strata": [options.strata, "--version"]}),
             f"- device: {options.device}, folded states {options.fold}",
             f"- {run.equal} searches equal in {', '.join(COMPARED)} and exit code, {run.states:,} states",
             *(f"- {count} searches of the processor ({reason})" for reason, count in run.refused.items()),
             f"- {run.skipped} searches skipped: no model by itself, or not done by `ram` within {options.seconds} s",
             *(f"- {note}" for note in run.notes), f"- {seconds:.0f} s", "",
             *(f"- PROBLEM: {problem}" for problem in run.problems)]
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", dest="strata", type=lambda text: pathlib.Path(text).resolve() / "strata",
                        default=ROOT / "build/release/strata", help="the folder of a build, default build/release")
    parser.add_argument("--models-dir", type=pathlib.Path, default=SHARED)
    parser.add_argument("--device", default="0", help="as for strata check; default %(default)s")
    parser.add_argument("--seconds", type=float, default=20, help="for a model with ram; default %(default)s")
    parser.add_argument("--most", type=int, default=0, help="about so many models; 0: all")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many, which an earlier run has compared")
    parser.add_argument("--jobs", type=int, default=1, help="models that are checked at the same time")
    parser.add_argument("--limit", type=float, default=7200, help="end after so many seconds, whatever is left to do")
    parser.add_argument("--device-memory", help="of each run, where several run at the same time: 8G")
    parser.add_argument("--fold", default="off", help="on: with folded states on the device; default %(default)s")
    parser.add_argument("--graphs", type=int, default=2000)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--only", choices=("models", "units", "sanitizers"), help="one of the three parts")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        run = OnGpu(options, pathlib.Path(folder))
        if options.only in (None, "units"):
            run.unit_tests()
        if options.only in (None, "sanitizers"):
            run.sanitizers()
        if options.only in (None, "models"):
            run.compare_all()
    report(options, run, time.monotonic() - begin)
    return 1 if run.problems else 0


if __name__ == "__main__":
    sys.exit(main())
