"""How rumur is measured: generate the checker, compile it by the faster of clang and gcc, run it.

All settings are rumur's defaults but for symmetry reduction, which is off unless it is measured, and the threads.
Compiling is not part of the measured time.
"""

import concurrent.futures
import platform
import re
import shutil

import measure

COMPILERS = ("clang", "gcc")
PROBE_SECONDS = 6
COUNTS = re.compile(r"(\d+) states, (\d+) rules fired in")
PROGRESS = re.compile(r"states explored in \d+s, with (\d+) rules fired")


def native_flag():
    return "-march=native" if platform.machine() in ("x86_64", "i686") else "-mcpu=native"


def flags():
    return ["-std=c11", "-O3", native_flag(), "-w"]


def missing():
    """Why rumur cannot be measured here, or None."""
    if not shutil.which("rumur"):
        return "rumur is not installed"
    if not any(shutil.which(compiler) for compiler in COMPILERS):
        return "neither clang nor gcc is installed"
    return None


class Checker:
    """The checkers of one model, in one temporary folder: one for each number of threads and compiler."""

    def __init__(self, text, folder, symmetry="off"):
        self.symmetry = symmetry
        self.folder = folder
        self.model = folder / "model.m"
        self.model.write_text(text)
        self.compiler = None

    def measure(self, threads, time_limit, must_end=True):
        """The measured run and its (states, rules); no counts if the time limit ended it, where that is allowed."""
        if self.compiler is None:
            self.compiler = self._faster_compiler()
        run = measure.best([self._program(threads, self.compiler)], time_limit)
        if run.exit_code is None and not must_end:
            return run, None
        if run.exit_code is None:
            raise measure.ToolError(f"rumur's checker was stopped after {time_limit:.0f} s")
        found = COUNTS.search(run.output)
        if run.exit_code != 0 or not found:
            raise measure.ToolError(f"rumur's checker failed (exit code {run.exit_code}): {first_error(run.output)}")
        return run, (int(found[1]), int(found[2]))

    def _generate(self, threads):
        source = self.folder / f"checker{threads}.c"
        if not source.exists():
            measure.must_run(["rumur", "--quiet", "--symmetry-reduction", self.symmetry, "--threads", threads,
                              "--output", source, self.model], "rumur cannot read the model")
        return source

    def _program(self, threads, compiler):
        program = self.folder / f"checker{threads}.{compiler}"
        if not program.exists():
            source = self._generate(threads)
            measure.must_run([compiler, *flags(), source, "-o", program, *libraries(), "-lpthread"],
                             "compiling rumur's checker")
        return program

    def _faster_compiler(self):
        """Compares the compilers by the rules fired in the first seconds with one thread."""
        present = [compiler for compiler in COMPILERS if shutil.which(compiler)]
        self._generate(1)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda compiler: self._program(1, compiler), present))
        return max(present, key=lambda compiler: probe(self._program(1, compiler)))


def libraries():
    # Where gcc leaves the 16-byte compare-and-swap to it.
    return ["-latomic"]


def probe(program):
    """Rules per second in the first PROBE_SECONDS. The checker buffers its progress lines unless told otherwise."""
    run = measure.run(["stdbuf", "-oL", program], time_limit=PROBE_SECONDS)
    done = COUNTS.search(run.output)
    if done:
        return int(done[2]) / run.seconds
    progress = PROGRESS.findall(run.output)
    return int(progress[-1]) / run.seconds if progress else 0.0


def first_error(output):
    """Rumur prints the reason, indented, below the headline of the error trace."""
    found = re.search(r"error trace for the error:\s*(.*)", output)
    return found[1] if found else "no result in its output"
