"""How strata is measured: `strata check --algorithm ram --json`, the model compiled beforehand as it is in daily
use."""

import dataclasses
import json
import os
import tempfile

import measure

HOLDS = 0
INCOMPLETE = 152


@dataclasses.dataclass
class Result:
    run: measure.Run
    report: dict  # the object that --json writes

    @property
    def counts(self):
        return self.report["states"], self.report["transitions"]


class Strata:
    """The program, with its own cache of compiled models."""

    def __init__(self, program, cache, time_limit):
        self.program = program
        self.time_limit = time_limit
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(cache))

    def missing(self):
        if not os.access(self.program, os.X_OK):
            return f"{self.program} does not exist: strata is not built, its columns stay empty"
        return None

    def with_cache(self, cache):
        return Strata(self.program, cache, self.time_limit)

    def command(self, model, constants, threads, extra=(), algorithm="ram"):
        defines = [word for name, value in constants.items() for word in ("-D", f"{name}={value}")]
        # Without symmetry, so that the peers visit the same states, except in the comparison with symmetry.
        symmetry = [] if "--symmetry" in extra or str(model).endswith(".dve") else ["--symmetry", "off"]
        return [self.program, "check", model, *defines, "--algorithm", algorithm, "--threads", threads,
                "--progress", "off", *symmetry, *extra]

    def check(self, model, constants, threads, extra=()):
        """A measured run, best of three when short."""
        self.compile(model, constants, extra)
        return self._run(self.command(model, constants, threads, extra), measure.best, (HOLDS,))

    def compile(self, model, constants, extra=()):
        """Explores one level: enough to have the model compiled, and its compile time reported."""
        command = self.command(model, constants, 1, (*extra, "--bound", "1"))
        return self._run(command, measure.run, (HOLDS, INCOMPLETE))

    def check_formula(self, model, constants, extra):
        """The same for a search for cycles."""
        command = self.command(model, constants, 1, extra, "ndfs")
        self._run([*command, "--time-limit", "1"], measure.run, (HOLDS, INCOMPLETE))
        return self._run(command, measure.best, (HOLDS,))

    def once(self, model):
        return self._run(self.command(model, {}, 1), measure.run, (HOLDS,))

    def _run(self, command, runner, expected):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            run = runner([*command, "--json", path], time_limit=self.time_limit, env=self.environment)
            if run.exit_code not in expected:
                raise measure.ToolError(failure(run, self.time_limit))
            with open(path) as file:
                return Result(run, json.load(file))


def failure(run, time_limit):
    if run.exit_code is None:
        return f"strata was stopped after {time_limit:.0f} s: {run.text()}"
    tail = "\n".join(run.output.strip().splitlines()[-5:])
    return f"strata: {run.text()}: exit code {run.exit_code}\n{tail}"
