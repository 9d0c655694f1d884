"""What a search says of its future: forecasts in reports and progress, --plan, SIGUSR1.

    python3 forecast.py --strata PATH
"""

import argparse
import json
import re
import signal
import sys
import time

import attack

WINDOW = (attack.EXAMPLES / "sliding_window.m", "-D", "Window=3", "-D", "SeqSpace=6", "-D", "Capacity=4")
STATES = 4_695_768
PETERSON = (attack.EXAMPLES / "peterson.m", "-D", "N=5")
COUNTERS = """var a, b: 0..1000000000;
startstate a := 0; b := 0; end;
rule a < 1000000000 ==> a := a + 1; end;
rule b < 1000000000 ==> b := b + 1; end;
"""
LARGE = (attack.EXAMPLES / "peterson.m", "-D", "N=6")


def catches(process, number):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return any(int(line.split()[1], 16) >> (number - 1) & 1 for line in status if line.startswith("SigCgt"))


def is_range(pair):
    return len(pair) == 2 and pair[0] >= 0 and (pair[1] is None or pair[1] >= pair[0])


def in_the_report(world):
    """Forecasts at quarters of the time, in order, and the last one not far from the truth."""
    path = world.folder / "report.json"
    world.run(["check", *WINDOW, "--threads", "2", "--progress", "off", "--json", path])
    report = attack.read_json(path)
    world.expect(report["states"] == STATES, f"{report['states']} states")
    made = report["forecast"]
    world.expect(len(made) > 0 and made[-1]["share"] == 0.75, f"forecasts: {made}")
    world.expect(made == sorted(made, key=lambda one: one["share"]), "not in order")
    for one in made:
        world.expect(all(is_range(one[name]) for name in ("states", "seconds_left", "peak_disk")), f"no ranges: {one}")
    least, most = made[-1]["states"]
    world.expect(least < 2 * STATES and (most is None or most > STATES / 2), f"{least} to {most}, there are {STATES}")


def in_progress(world):
    """Lines of JSON, of which the first has no forecast yet."""
    _, _, said = world.run(["check", *WINDOW, "--threads", "1", "--progress", "json"])
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    world.expect(lines and all("forecast" in line for line in lines), f"lines of progress: {said[:400]}")


def plan(world):
    """The forecast alone, soon."""
    world.run(["check", *LARGE, "--bound", "1"])  # so that it is compiled
    begin = time.monotonic()
    code, text, _ = world.run(["check", *LARGE, "--plan", "--time-limit", "2", "--progress", "off"])
    world.expect(code == 0, f"--plan ends with {code}")
    world.expect("\nForecast" in text and " after " in text, f"--plan prints {text}")
    world.expect("Result:" not in text, "--plan prints a report")
    world.expect(time.monotonic() - begin < 30, "--plan takes long")
    code, text, _ = world.run(["check", attack.EXAMPLES / "traffic_light.m", "--plan"])
    world.expect("Forecast: the search is done" in text and code == 0, f"of a small model: {code}, {text}")
    code, text, _ = world.run(["check", attack.EXAMPLES / "msi_bug.m", "--plan"])
    world.expect("an error was found" in text and code == 0, f"of a wrong model: {code}, {text}")


def no_end_in_sight(world):
    """What grows by a constant, and what has not shrunk yet, has no end in sight; nor has a search that a full
    memory cut short."""
    counters = world.write("counters.m", COUNTERS)
    whole = 11_968_752
    runs = [(counters, "--time-limit", "1"), *((*PETERSON, "--time-limit", limit) for limit in ("0.3", "1")),
            (*PETERSON, "--algorithm", "ram", "--memory", "24M")]
    for run in runs:
        world.run(["check", *run[:3 if run[0] == PETERSON[0] else 1], "--bound", "1"])  # so that it is compiled
        _, text, _ = world.run(["check", *run, "--plan", "--progress", "off"])
        found = re.search(r"Forecast after .*: (.*)\.$", text, re.MULTILINE)
        if run[0] == counters or "24M" in run:
            world.expect(found and "no end in sight" in found[1], f"{run}: {text}")
        elif found and " to " in found[1]:
            least, most = (float(number) * {"k": 1e3, "M": 1e6}[unit]
                           for number, unit in re.findall(r"([\d.]+) ([kM])", found[1])[:2])
            world.expect(least <= whole <= most, f"{run}: {found[1]}")


def asked(world):
    """SIGUSR1 asks for a line; the search goes on as it was."""
    path = world.folder / "report.json"
    world.run(["check", *LARGE, "--bound", "1"])  # so that it is compiled
    process = world.start(["check", *LARGE, "--threads", "1", "--time-limit", "4", "--progress", "off", "--json", path])
    attack.wait_until(lambda: catches(process, signal.SIGUSR1))
    time.sleep(1)
    process.send_signal(signal.SIGUSR1)
    process.wait(timeout=60)
    world.expect("expanding level" in world.said(), f"SIGUSR1: {world.said()}")
    report = attack.read_json(path) or {}
    world.expect(report.get("details", {}).get("switched") is False, f"SIGUSR1: {report.get('details')}")
    world.expect(report.get("stop") == "time", f"SIGUSR1: stop {report.get('stop')}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strata", required=True)
    attacks = [("report", in_the_report), ("progress", in_progress), ("plan", plan), ("endless", no_end_in_sight),
               ("asked", asked)]
    return attack.in_world(parser.parse_args().strata, attacks)


if __name__ == "__main__":
    sys.exit(main())
