"""The contract of the transport under mpirun, and ranks that are lost.

    python3 contract.py --program PATH [--mpirun NAME] [--long]

The program is tests/cluster/contract_main.cc. On 1, 2, 3 and 4 ranks the contract holds (8 too with --long). Then a
rank is killed, is killed where the others cannot see its process, falls silent, and gives up because of a full
disk: the run ends within seconds, and one message names the rank and its host."""

import argparse
import pathlib
import re
import shutil
import socket
import sys
import tempfile
import time

import ranks

SECONDS = 8.0


def contract(options, count, seed):
    code, out, errors = ranks.run(options.mpirun, count, [options.program, seed])
    if code != 0 or "0 problems" not in out:
        yield f"{count} ranks, seed {seed}: exit code {code}\n{out}{errors}"


def expected_message(kind, rank):
    who = f"rank {rank} (host {socket.gethostname()})"
    return {"kill": f"{who} died: its process has ended",
            "far": f"{who} does not answer: it died, or cannot be reached",
            "stop": f"{who} was not heard of for 2 seconds: it hangs, or its machine or the network is down",
            "fail": f"{who}: cannot write a block: the disk is full"}[kind]


def loss(options, count, seed, kind, rank):
    case = f"{count} ranks, seed {seed} {kind} {rank}"
    begin = time.monotonic()
    code, out, errors = ranks.run(options.mpirun, count, [options.program, seed, kind, rank])
    seconds = time.monotonic() - begin
    if seconds > SECONDS:
        yield f"{case}: took {seconds:.1f} seconds"
    said = re.findall(r"^strata: (?!stopping; )(.*)$", errors, re.MULTILINE)
    if said != [expected_message(kind, rank)]:
        yield f"{case}: said {said}\n{errors}"
    # A launcher ends with the code of a rank, or of the signal that killed it.
    allowed = {"kill": (153, 137, 9), "far": (153, 137, 9), "stop": (153, 137, 9, 143, 15), "fail": (152,)}[kind]
    if code not in allowed:
        yield f"{case}: exit code {code}\n{out}{errors}"


def without_mpi(options):
    """A program that has no libstrata_mpi.so beside it does not search N times; it says once what to do."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(options.program, folder)
        code, out, errors = ranks.run(options.mpirun, 2, [copy, 1])
        said = re.findall(r"^strata: (?!stopping; )(.*)$", errors, re.MULTILINE)
        if code != 153 or len(said) != 1 or "apt-get install mpi-default-dev" not in said[0]:
            yield f"without MPI: exit code {code}, said {said}"
        code, out, errors = ranks.run(options.mpirun, 2, [copy, 1], STRATA_ALONE="1")
        if code != 0 or out.count("1 ranks by alone: 0 problems") != 2:
            yield f"without MPI, alone: exit code {code}\n{out}{errors}"


def cases(options):
    yield without_mpi(options)
    for count in (1, 2, 3, 4, 8) if options.long else (1, 2, 3, 4):
        for seed in range(1, 11 if options.long else 2):
            yield contract(options, count, seed)
    # MPICH's launcher breaks down itself when a rank is killed, and takes the others' output with it.
    for kind in ("kill", "far", "stop", "fail") if ranks.is_open_mpi(options.mpirun) else ("fail",):
        for seed in range(1, 26 if options.long else 3):
            count = 2 + seed % 3
            yield loss(options, count, seed, kind, seed % count)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    ranks.need_mpi(options.mpirun, options.program, options.program.parent / "libstrata_mpi.so")
    problems = [problem for case in cases(options) for problem in case]
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problem(s)" if problems else "ok: the contract holds, and lost ranks are named")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
