"""A DVE file of 2 MB, as programs for logic controllers become when they are translated: it must compile.

    python3 large_dve.py --strata PATH [--megabytes N] [--seconds N]

A controller runs through a cycle of thousands of steps, each with guards and effects on a few hundred variables; inputs
change at the end of a cycle. The number of states is known: the steps of a cycle for each way the inputs can be.
"""

import argparse
import pathlib
import sys
import tempfile
import time

import strata_run

INPUTS = 3
VARIABLES = 200


def write_model(path, size):
    """Writes the model and returns the number of its states."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("".join(f"byte input_{i};\n" for i in range(INPUTS)))
        out.write("".join(f"byte v{i};\n" for i in range(VARIABLES)))
        steps = 0
        lines = []
        length = 0
        while length < size:
            a, b, c = (steps * 7) % VARIABLES, (steps * 13 + 1) % VARIABLES, steps % INPUTS
            on = (f" s{steps} -> s{steps + 1} {{ guard (input_{c} == 1 && v{a} <= 1) || (input_{c} == 1 and v{a} > 1); "
                  f"effect v{b} = input_{c}, v{b} = 0; }},\n")
            off = (f" s{steps} -> s{steps + 1} {{ guard not (input_{c} == 1); "
                   f"effect v{a} = (v{a} + 4) % 4, v{a} = 0; }},\n")
            lines += [on, off]
            length += len(on) + len(off)
            steps += 1
        out.write("process Controller {\nstate " + ", ".join(f"s{i}" for i in range(steps + 1)) +
                  ";\ninit s0;\ntrans\n")
        out.write("".join(lines))
        out.write("".join(f" s{steps} -> s0 {{ effect input_{i} = 1 - input_{i}; }},\n" for i in range(INPUTS)))
        out.write(f" s{steps} -> s0 {{}};\n}}\nsystem async;\n")
    return (steps + 1) << INPUTS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=600, help="for compiling and searching")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="strata-large-") as folder:
        path = pathlib.Path(folder) / "large.dve"
        states = write_model(path, int(arguments.megabytes * 1e6))
        begin = time.monotonic()
        run = strata_run.check(arguments.strata, path, timeout=arguments.seconds)
        print(f"{path.stat().st_size} bytes, {run.count('states')} states, {time.monotonic() - begin:.1f} s, "
              f"compiled in {((run.report or {}).get('seconds') or {}).get('compile')} s")
        if run.count("states") != states:
            print(f"FAILED: expected {states} states\n{run.text()[:3000]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
