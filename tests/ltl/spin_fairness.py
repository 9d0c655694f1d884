"""Weak fairness beside spin's `pan -a -f`: the same system in Promela, Murphi and DVE, the same formulas, the same
answers.

    python3 spin_fairness.py --strata PATH

Exit code 77: spin is not there."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMELA = ROOT / "bench/peers/promela/peterson.pml"
# Each proposition in Promela, Murphi and DVE.
PROPOSITIONS = {
    "idle": ("Process[0]@idle", "pc[0] = Idle", "P(0).Idle"),
    "claims": ("Process[0]@claim", "pc[0] = Claim", "P(0).Claim"),
    "inside": ("Process[0]@in", "pc[0] = Critical", "P(0).Critical"),
    "other": ("Process[1]@in", "pc[1] = Critical", "P(1).Critical"),
}
# With the answers, so that a mistake that both tools share is seen: without fairness, with it.
FORMULAS = [
    ("F inside", False, True),
    ("G F idle", False, True),
    ("G (claims -> F inside)", False, True),
    ("G F (inside || other)", False, True),
    ("F G !inside", False, False),
    ("G (inside -> (!other U idle))", False, True),
    ("(G F other) -> (G F inside)", False, True),
    ("F G !claims", False, False),
]


def output_of(command, folder):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                          check=True).stdout


def spin_answers(folder, processes, formula):
    """Without and with fairness; the never claim is that of spin itself."""
    defines = "".join(f"#define {name} ({texts[0]})\n" for name, texts in PROPOSITIONS.items())
    promela = PROMELA.read_text(encoding="utf-8").replace("idle:", "idle_:").replace("goto idle", "goto idle_")
    spelled = formula.replace("G ", "[] ").replace("F ", "<> ")
    claim = output_of(["spin", "-f", f"!({spelled})"], folder)
    (folder / "model.pml").write_text(promela + defines.replace("@idle", "@idle_") + claim, encoding="utf-8")
    output_of(["spin", f"-DN={processes}", "-a", "model.pml"], folder)
    output_of(["gcc", "-O1", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"], folder)
    return ["errors: 0" in output_of(["./pan", "-a", "-n", "-m1000000", *fair], folder) for fair in ([], ["-f"])]


def strata_answer(strata, folder, processes, formula, language, fair):
    place = 1 if language == "m" else 2
    atoms = [word for name, texts in PROPOSITIONS.items() for word in ("-p", f"{name}={texts[place]}")]
    command = [strata, "check", ROOT / f"examples/peterson.{language}", "-D", f"N={processes}", "--ltl", formula,
               *atoms, "--progress", "off", "--fairness", "weak" if fair else "none"]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                          check=False)
    if done.returncode not in (0, 13):
        raise RuntimeError(f"strata: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def problems(strata, folder, most, formulas):
    for processes in range(2, most + 1):
        for formula, *expected in formulas:
            answers = spin_answers(folder, processes, formula)
            for fair in (False, True):
                found = {"spin": answers[fair],
                         **{language: strata_answer(strata, folder, processes, formula, language, fair)
                            for language in ("m", "dve")}}
                if len(set(found.values())) != 1 or expected[fair] != found["m"]:
                    yield f"{formula}, {processes} processes, fair {fair}: {found}, expected {expected[fair]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--processes", type=int, default=3, help="from 2 processes up to this number (default "
                                                                 "%(default)s)")
    parser.add_argument("--formulas", type=int, default=len(FORMULAS), help="how many (default all)")
    arguments = parser.parse_args()
    formulas = FORMULAS[-arguments.formulas:]
    if not shutil.which("spin") or not shutil.which("gcc"):
        print("skipped: spin or gcc is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        found = list(problems(str(pathlib.Path(arguments.strata).resolve()), pathlib.Path(folder), arguments.processes,
                              formulas))
    print("\n".join(f"FAILED {problem}" for problem in found))
    print(f"{(arguments.processes - 1) * len(formulas)} formulas with and without fairness, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
