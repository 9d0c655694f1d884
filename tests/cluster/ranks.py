"""Starts programs as ranks, with the mpirun that is there: Open MPI's or MPICH's.

More ranks than cores are started here, by root in a container too; what Open MPI wants to hear for that is in
environment(). A test that needs MPI ends with 77 where there is none, and says so."""

import os
import shutil
import signal
import subprocess
import sys

SKIPPED = 77


def environment():
    return {
        **os.environ,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",  # more ranks than cores
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_plm_rsh_agent": "/bin/false",  # no ssh: all ranks are here
    }


def is_open_mpi(mpirun):
    said = subprocess.run([mpirun, "--version"], capture_output=True, text=True, env=environment())
    return "Open MPI" in said.stdout + said.stderr


def need_mpi(mpirun, *files):
    """Ends the test where something is missing."""
    if shutil.which(mpirun) is None:
        print(f"skipped: there is no {mpirun}; install mpi-default-dev")
        sys.exit(SKIPPED)
    for file in files:
        if not os.path.exists(file):
            print(f"skipped: there is no {file}; strata was built without MPI")
            sys.exit(SKIPPED)


def start(mpirun, ranks, command, **variables):
    """mpirun as a process, in a session of its own."""
    # MPICH's would kill all others at once when a rank dies.
    flags = ["-q"] if is_open_mpi(mpirun) else ["-disable-auto-cleanup"]
    return subprocess.Popen([mpirun, *flags, "-n", str(ranks), *map(str, command)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env={**environment(), **variables},
                            start_new_session=True)


def kill(process):
    """The launcher and, where it does not do it itself, its ranks."""
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        pass
    for folder in os.listdir("/proc"):
        try:
            if folder.isdigit() and os.getsid(int(folder)) == process.pid:
                os.kill(int(folder), signal.SIGKILL)
        except ProcessLookupError:
            pass


def run(mpirun, ranks, command, timeout=120, **variables):
    """The exit code of mpirun (None: it took too long), and what was printed."""
    process = start(mpirun, ranks, command, **variables)
    try:
        out, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        out, errors = process.communicate()
        return None, out, errors
    return process.returncode, out, errors
