"""How spin is measured: every suitable search mode of pan is compiled and run, and the fastest counts.

Partial-order reduction is off (-DNOREDUCE), so that pan visits the same states as strata; the hash table has a slot
for each state (-w) and the depth-first stack cannot overflow (-m). BFS_PAR, Spin's multi-core breadth-first search,
stores 4-byte hashes instead of states (hash compaction) whatever the options; the others are exact. Its multi-core
modes are written for the memory order of x86: on ARM, BFS_PAR now and then stores a state twice, and NCORE may wait for
ever. So their counts are compared loosely, and a mode that takes much longer than another one is stopped.
"""

import dataclasses
import os
import re
import shutil

import measure
import rumur

LIVENESS_FLAGS = ["-O3", rumur.native_flag(), "-w", "-DNOFAIR"]
FLAGS = [*LIVENESS_FLAGS, "-DSAFETY", "-DNOREDUCE"]

# Spin 6.5 has assembly for its test-and-set on a few processors only, 64-bit ARM not being one of them, and
# otherwise stops the compiler by this line. GCC's builtin does the same.
NO_TEST_AND_SET = re.compile(r"#error missing definition of test and set operation.*")
TEST_AND_SET = "int tas(volatile int *s) { return __sync_lock_test_and_set(s, 1); }"


@dataclasses.dataclass
class Mode:
    name: str
    macros: list
    options: list
    flags: list = dataclasses.field(default_factory=lambda: FLAGS)


def modes(threads):
    if threads == 1:
        return [Mode("depth-first", [], []), Mode("BFS", ["-DBFS"], [])]
    return [Mode("BFS_PAR", ["-DBFS_PAR"], [f"-u{threads}"]), Mode("NCORE", [f"-DNCORE={threads}"], [])]


def liveness_modes():
    """The search for accepting cycles, without and with partial-order reduction."""
    return [Mode("NOREDUCE", ["-DNOREDUCE"], ["-a"], LIVENESS_FLAGS), Mode("reduction", [], ["-a"], LIVENESS_FLAGS)]


def missing():
    for tool in ("spin", "gcc"):
        if not shutil.which(tool):
            return f"{tool} is not installed"
    return None


# No search of the benchmark takes pan longer than a fraction of this.
TIME_LIMIT = 300


@dataclasses.dataclass
class Result:
    mode: str
    run: measure.Run
    states: int
    transitions: int


def generate(promela, macros, folder):
    defines = [f"-D{name}={value}" for name, value in macros.items()]
    measure.must_run(["spin", *defines, "-a", promela.resolve()], "spin cannot read the model", cwd=folder)
    source = folder / "pan.c"
    source.write_text(NO_TEST_AND_SET.sub(TEST_AND_SET, source.read_text()))


def fastest(folder, threads, states, time_limit):
    """The fastest mode's result, and the failures of the others as text."""
    results, failures = [], []
    limit = min(time_limit, TIME_LIMIT)
    for mode in modes(threads):
        try:
            results.append(measure_mode(folder, mode, states, limit))
            limit = min(limit, 10 + 3 * results[-1].run.seconds)
        except measure.ToolError as error:
            failures.append(f"{mode.name}: {error}")
    if not results:
        raise measure.ToolError("; ".join(failures))
    return min(results, key=lambda result: result.run.seconds), failures


def measure_mode(folder, mode, states, time_limit):
    program = folder / f"pan.{mode.name}"
    measure.must_run(["gcc", *mode.flags, f"-DMEMLIM={half_of_ram()}", *mode.macros, "pan.c", "-o", program],
                     "compiling pan", cwd=folder)
    command = [program, "-n", f"-w{states.bit_length()}", f"-m{states}", *mode.options]
    run = measure.best(command, time_limit, cwd=folder)
    if run.exit_code is None:
        raise measure.ToolError(f"pan was stopped after {time_limit:.0f} s")
    return parse(mode, run)


def parse(mode, run):
    # Above 10^8, pan writes the first eight digits and an exponent.
    stored = re.search(r"([\d.e+]+) states, stored", run.output)
    transitions = re.search(r"([\d.e+]+) transitions", run.output)
    if run.exit_code != 0 or "errors: 0" not in run.output or not stored or not transitions:
        tail = "\n".join(run.output.strip().splitlines()[-3:])
        raise measure.ToolError(f"pan failed (exit code {run.exit_code}): {tail}")
    if "max search depth too small" in run.output:
        raise measure.ToolError("pan's depth-first stack was too small")
    # pan counts reaching the initial state as a transition.
    return Result(mode.name, run, int(float(stored[1])), int(float(transitions[1])) - 1)


def half_of_ram():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2 // 2**20
