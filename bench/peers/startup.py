"""The time before the search: start-up on a compiled model, and compiling with an empty cache."""

import dataclasses
import pathlib
import statistics
import tempfile

import measure

TIMES = 20
TINY = """\
var x: 0..3;
startstate begin x := 0; end;
rule "step" true ==> begin x := (x + 1) % 4; end;
invariant "in range" x <= 3;
"""


@dataclasses.dataclass
class Startup:
    milliseconds: float  # median wall time on the tiny model, compiled before
    peak_rss: int  # bytes of the whole process on the tiny model
    compiles: list  # of Compile


@dataclasses.dataclass
class Compile:
    what: str
    goal: float
    seconds: float  # None when it could not be measured
    note: str = ""
    absent: bool = False  # the model is not there; otherwise a missing time is strata's failure


def measure_startup(strata, compiles):
    """`compiles`: models, each with the seconds that a first check may take."""
    with tempfile.TemporaryDirectory() as folder:
        tiny = pathlib.Path(folder) / "tiny.m"
        tiny.write_text(TINY)
        strata.once(tiny)
        runs = [strata.once(tiny).run for _ in range(TIMES)]
    return Startup(1000 * statistics.median(run.seconds for run in runs), max(run.peak_rss for run in runs),
                   [compile_time(strata, model, goal) for model, goal in compiles])


def compile_time(strata, model, goal):
    """Wall time of a first `strata check --bound 1` with an empty cache."""
    if not model.exists():
        return Compile(model.name, goal, None, f"{model} is absent", absent=True)
    with tempfile.TemporaryDirectory() as cache:
        try:
            result = strata.with_cache(cache).compile(model, {})
        except measure.ToolError as error:
            return Compile(model.name, goal, None, measure.one_line(error))
    own = result.report["seconds"].get("compile", 0.0)
    return Compile(model.name, goal, result.run.seconds, f"{own:.2f} s of it in the compiler")
