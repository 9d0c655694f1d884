"""Searches beyond the memory of the device: a share of what the search needs there, the rest in the host's memory, or
on disk (`run --beyond`)."""

import statistics
import sys

MODELS = ("n_peterson N=7", "iprotocol.5", "lamport.8")
HEADER = ["model", "levels", "states", "depth", "fits, ms", "needs, MiB", "device, MiB", "beyond, ms", "times", "early",
          "late", "candidates a state", "keys joined a state", "host, MiB", "disk, MiB", "read, MiB", "written, MiB",
          "expand, s", "copy, s", "join, s"]
MIB = 1 << 20
COUNTS = ("verdict", "states", "transitions", "depth", "levels")


def milliseconds(report):
    return report["seconds"]["search"] * 1000


def search(check, arguments, case, path, more):
    """The median run by its time; None: one failed."""
    runs = [check(arguments, case, path, ["--device", arguments.device, "--algorithm", "gpu", "--set",
                                          "patience=600", *more]) for _ in range(arguments.repetitions)]
    if any(run is None or run["device"] is None for run in runs):
        return None
    median = statistics.median_low(milliseconds(run) for run in runs)
    return next(run for run in runs if milliseconds(run) == median)


def row(case, fits, run, memory, levels):
    details = run.get("details") or {}
    states = run["states"]
    disk = run.get("disk") or {}
    needs = fits["device"]["memory"]["used"]
    return [case.name, levels, f"{states:,}", f"{run.get('depth', run.get('depth_at_most'))}",
            f"{milliseconds(fits):.1f}", f"{needs / MIB:,.0f}", f"{memory / MIB:,.0f}", f"{milliseconds(run):,.1f}",
            f"{milliseconds(run) / milliseconds(fits):.1f}", f"{details.get('early_states', states):,}",
            f"{details.get('late_states', 0):,}",
            f"{details.get('candidates', 0) / states:.2f}", f"{details.get('keys_joined', 0) / states:.1f}",
            *(f"{bytes_ / MIB:,.0f}" for bytes_ in (details.get("host_bytes", 0), details.get("disk_bytes", 0),
                                                     disk.get("read", 0), disk.get("written", 0))),
            *(f"{details.get(name, 0):.2f}" for name in ("expand_seconds", "copy_seconds", "join_seconds"))]


def measure(check, arguments, cases):
    """`check` runs strata, as in device.py."""
    rows, notes, wrong = [], [], []
    for case in cases:
        path = case.file(arguments.models_dir)
        if path is None:
            notes.append(f"{case.name}: {case.path} is absent")
            continue
        print(f"  {case.name}", file=sys.stderr, flush=True)
        fits = search(check, arguments, case, path, [])
        if fits is None:
            wrong.append(f"{case.name}: the search that fits failed")
            continue
        memory = max(int(fits["device"]["memory"]["used"] * arguments.share), MIB)
        places = [[]] if arguments.host_memory is None else [[], ["--memory", arguments.host_memory]]
        for place, levels in ((place, levels) for place in places for levels in ("exact", "free")):
            run = search(check, arguments, case, path,
                         ["--device-memory", str(memory), "--set", f"beyond={levels}", *place])
            if run is None:
                wrong.append(f"{case.name}: the search beyond the memory failed")
                continue
            for name in COUNTS if levels == "exact" else COUNTS[:3]:
                if run[name] != fits[name]:
                    wrong.append(f"{case.name}: {name} {str(run[name])[:200]} instead of {str(fits[name])[:200]}")
            rows.append(row(case, fits, run, memory, levels))
    return rows, notes, wrong
