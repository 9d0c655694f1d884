"""`strata murphi` in the place of CMurphi: its options, its lines to the letter, its exit codes, and the flow
`mu model.m && g++ model.cpp && ./model -tv`; and what the scripts of protocol generators look for in the output.

    python3 murphi.py --strata PATH
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

EXAMPLES = attack.EXAMPLES
COLLECTION = attack.ROOT.parent / "shared" / "models" / "murphi"
# Small models of CMurphi's own distribution.
CLASSIC = ("toy/down.m", "toy/pingpong.m", "toy/sort5.m", "mux/2_peterson.m", "mux/dek.m", "others/abp.m",
           "sym/mcslock1.m")
LINE = "=" * 74

DEADLOCK = """
type p: scalarset(2);
var x: 0..3; owner: p;
startstate "begin" x := 0; undefine owner; end;
ruleset i: p do rule "take" x < 3 ==> x := x + 1; owner := i; end; end;
"""
LITMUS = """
var x: 0..1000;
startstate x := 0; end;
rule x < 1000 ==> x := x + 1; end;
rule "check" x = 7 ==> error "Litmus Test Failed"; end;
rule x = 1000 ==> x := 0; end;
"""
BIG = """
var x, y: 0..99;
startstate x := 0; y := 0; end;
rule "right" x := (x + 1) % 100; end;
rule "up" y := (y + 1) % 100; end;
invariant "bounded" x + y < 200;
"""

DEADLOCK_OUTPUT = f"""
The following is the error trace for the error:

	Deadlocked state found.

Startstate begin fired.
x:0
owner:Undefined
----------

Rule take, i:p_1 fired.
x:1
owner:p_1
----------

Rule take, i:p_1 fired.
x:2
----------

Rule take, i:p_1 fired.
The last state of the trace (in full) is:
x:3
owner:p_1
----------

End of the error trace.

{LINE}

Result:

	Deadlocked state found.

State Space Explored:

	4 states, """


def lines_to_the_letter(world):
    code, out, errors = world.run(["murphi", "-tv", "-ndl", world.write("big.m", BIG)])
    world.expect((code, errors) == (0, ""), f"big: {code}, {errors}")
    for wanted in ("\nProtocol: big\n", "\nAlgorithm:\n\tVerification by breadth first search.\n",
                   "\nMemory usage:\n\n\t* The size of each state is 14 bits (rounded up to 2 bytes).\n",
                   f"\n{LINE}\n\nStatus:\n\n\tNo error found.\n\n"
                   "State Space Explored:\n\n\t10000 states, 20000 rules fired in "):
        world.expect(wanted in out, f"big: no {wanted!r} in {out}")
    progress = (r"\nProgress Report:\n\n\t\d+ states explored in \d+\.\d\ds, with \d+ rules fired and "
                r"\d+ states in the queue\.\n")
    world.expect(re.search(progress, out), f"big: no progress in {out}")
    code, out, _ = world.run(["murphi", "-pr", "-ndl", world.folder / "models" / "big.m"])
    fired = "\tFired 10000 times\t- Rule \"right\"\n\tFired 10000 times\t- Rule \"up\"\n"
    world.expect(out.endswith(f"s.\n\nRules Information:\n\n{fired}"), f"-pr: {out}")
    path = world.write("dead.m", DEADLOCK)
    code, out, _ = world.run(["murphi", "-tv", path])
    world.expect(code == 1 and DEADLOCK_OUTPUT in out, f"dead: {code}, {out}")
    world.expect("\twith symmetry algorithm 3 -- " in out, "dead: no symmetry")
    code, out, _ = world.run(["murphi", path])
    world.expect(code == 1 and "The following is the error" not in out
                 and "\nWarning: No trace will not be printed in the case of protocol "
                 "errors!\n" in out, f"dead without -tv: {code}, {out}")
    code, out, _ = world.run(["murphi", "-nosym", "-tf", path])
    world.expect(out.count("owner:") == 4 and "with symmetry" not in out, f"dead -tf: {out}")
    code, out, _ = world.run(["murphi", "-ndl", path])
    world.expect(code == 0 and "No error found" in out, f"dead -ndl: {code}, {out}")
    code, out, _ = world.run(["murphi", "-tv", world.write("litmus.m", LITMUS)])
    world.expect(code == 1 and "\nResult:\n\n\tError: Litmus Test Failed\n" in out and
                 "\nRule check fired.\n----------\n\nEnd of the error trace.\n" in out, f"litmus: {code}, {out}")


def options(world):
    path = world.write("big.m", BIG)
    # As scripts write them, with the number behind the option and as a word of its own.
    for words in (["-m", "64"], ["-m64"], ["-k", "65536"], ["-m8"], ["-b"], ["-b", "40"], ["-c"], ["-loop", "10"],
                  ["-loop10"], ["-p", "-pr"], ["-p5"], ["-pn"], ["-sym", "1"], ["-sym3"], ["-sym"], ["-s"], ["-vbfs"],
                  ["-vdfs"], ["-td"], ["-ta"], ["-tn"], ["-o"], ["-d", world.folder / "disk"], ["-errorsmax", "3"],
                  ["-nomultiset"], ["--threads", "1"], ["--threads=1"]):
        more = ["--time-limit", "0.2"] if words == ["-s"] else []
        code, out, errors = world.run(["murphi", *words, *more, path])
        expected = "rules fired in simulation" if words == ["-s"] else "No error found."
        world.expect(code == 0 and expected in out, f"{words}: {code}, {out}{errors}")
        ignored = words[0] in ("-p", "-loop", "-loop10", "-vdfs", "-ta", "-o", "-nomultiset", "-m8")
        world.expect(("note: " in errors) == ignored, f"{words}: {errors}")
    world.expect("Progress Report" not in world.run(["murphi", "-pn", path])[1], "-pn prints progress")
    world.expect("Omission Probabilities" in world.run(["murphi", "-c", "--algorithm", "part", path])[1],
                 "-c: no probabilities")
    for words, wanted in ((["-q"], "unknown option '-q' of CMurphi"), (["-m"], "-m needs a number"),
                          (["-sym7", path], "there are the symmetry algorithms 1 to 4"),
                          (["--bogus", path], "unknown option '--bogus'")):
        code, out, errors = world.run(["murphi", *words])
        world.expect(code == 1 and wanted in errors, f"{words}: {code}, {errors}")
    code, _, errors = world.run(["murphi", world.write("bad.m", BIG + "oops")])
    world.expect(code == 1 and "bad.m:7:1: error: " in errors, f"a model that is wrong: {code}, {errors}")
    code, out, _ = world.run(["murphi", "-h"])
    world.expect(code == 0 and all(f"\n  {name}" in out for name in ("-m N", "-tv", "--emit DIR")), f"-h: {out}")


def full_table(world):
    """What is full is CMurphi's hash table, for scripts that then try again with more."""
    code, out, errors = world.run(["murphi", "-m16", "--algorithm", "ram", EXAMPLES / "peterson.m", "-D", "N=6"])
    world.expect(code == 1 and "\nError:\n\n\tClosed hash table full.\n\n" in out, f"{code}, {out}{errors}")
    world.expect("Status" not in out and "Result" not in out, f"a full table is a result: {out}")


def toolchain(world):
    """The flow of CMurphi's own Makefiles."""
    murphi, work = world.folder / "murphi", world.folder / "work"
    code, out, errors = world.run(["murphi", "--emit", murphi])
    world.expect(code == 0 and out == f"{murphi}/src/mu\n{murphi}/include/README\n", f"--emit: {code}, {out}{errors}")
    work.mkdir()
    (work / "dead.m").write_text(DEADLOCK + '-- "quoted" \\ back ??/ \u00e9\n', encoding="utf-8")
    (work / "Makefile").write_text(
        f"TARGET = dead\nMURPHIPATH = {murphi}\n"
        "all: ${TARGET}\n"
        "${TARGET}: ${TARGET}.cpp\n\tg++ -O2 -o ${TARGET} ${TARGET}.cpp -I${MURPHIPATH}/include\n"
        "${TARGET}.cpp: ${TARGET}.m\n\t${MURPHIPATH}/src/mu -b ${TARGET}.m\n", encoding="utf-8")

    def run(*command):
        process = subprocess.run(command, cwd=work, text=True, capture_output=True, env=world.environment, check=False)
        return process.returncode, process.stdout, process.stderr

    code, out, errors = run("make")
    world.expect(code == 0 and "Code generated in file dead.cpp" in out, f"make: {code}, {out}{errors}")
    os.rename(work / "dead.m", work / "moved.m")
    code, out, errors = run("./dead", "-tv", "-pr", "-m", "100")
    world.expect(code == 1 and DEADLOCK_OUTPUT in out and "\nProtocol: dead\n" in out, f"./dead: {code}, {out}{errors}")
    (work / "dead.m").write_text(DEADLOCK + "oops", encoding="utf-8")
    code, out, errors = run("make")
    world.expect(code == 2 and "dead.m:6:1: " in errors, f"a model that is wrong: {code}, {out}{errors}")


def programs(world):
    """A program for each model."""
    folder = world.folder / "checkers"
    code, out, errors = world.run(["murphi", "--emit", folder, world.write("dead.m", DEADLOCK),
                                   world.write("litmus.m", LITMUS)])
    world.expect(code == 0 and out == f"{folder}/dead\n{folder}/litmus\n", f"--emit: {code}, {out}{errors}")
    process = subprocess.run([folder / "dead", "-tv"], text=True, capture_output=True, env=world.environment,
                             check=False)
    world.expect(process.returncode == 1 and DEADLOCK_OUTPUT in process.stdout,
                 f"dead: {process.stdout}{process.stderr}")


def verdict_of_generators(report):
    """What the scripts of a generator of litmus tests make of standard output, in the order in which they look."""
    if "Closed hash table full" in report or "Too many active states" in report or ("Status" not in report and
                                                                                   "Result" not in report):
        return "out of memory"
    for word, verdict in (("Deadlock", "deadlock"), ("Invariant", "invariant"), ("Litmus Test Failed", "litmus")):
        if word in report:
            return verdict
    return "pass" if "No error found" in report else "fail"


# What a script that makes tables reads from the output of a run.
TABLE = (r"The size of each state is \d+ bits \(rounded up to (\d+) bytes\)", r"explored in (\d+(\.\d+)?)s",
         r"(\d+) states, (\d+) rules fired in (\d+(\.\d+)?)s",
         r"(\d+(\.\d+)?) states explored in (\d+(\.\d+)?)s, with (\d+(\.\d+)?) rules fired "
         r"and (\d+(\.\d+)?) states in the queue")


def generators(world):
    for name, text, verdict in (("big.m", BIG, "pass"), ("dead.m", DEADLOCK, "deadlock"),
                                ("litmus.m", LITMUS, "litmus"),
                                ("inv.m", BIG + "invariant \"small\" x < 99;\n", "invariant")):
        _, out, _ = world.run(["murphi", "-tv", "-pr", "-m", "4000", world.write(name, text)])
        world.expect(verdict_of_generators(out) == verdict,
                     f"{name}: {verdict_of_generators(out)} instead of {verdict}")
        if name == "big.m":
            for pattern in TABLE:
                world.expect(re.search(pattern, out), f"{name}: no {pattern}")


def scripts_of_generators(world):
    """The commands of two generators in the order in which their scripts have them, and what these look for:
    ProtoGen runs make and then the verifier; vCXLGen takes all models of a folder, sets a limit of address space
    and reads a file of lines."""
    murphi, work = world.folder / "murphi", world.folder / "work"
    world.run(["murphi", "--emit", murphi])
    work.mkdir()
    (work / "big.m").write_text(BIG, encoding="utf-8")
    (work / "Makefile").write_text(
        f"TARGET = big\nall: ${{TARGET}}\n${{TARGET}}: ${{TARGET}}.cpp\n\tg++ -O2 -o ${{TARGET}} ${{TARGET}}.cpp "
        f"-I{murphi}/include\n"
        f"${{TARGET}}.cpp: ${{TARGET}}.m\n\t{murphi}/src/mu ${{TARGET}}.m\n", encoding="utf-8")

    def run(script):
        process = subprocess.run(["bash", "-c", script], cwd=work, text=True, capture_output=True,
                                 env=world.environment, check=False)
        return process.returncode, process.stdout, process.stderr

    code, out, errors = run("make >compile.txt && ./big -tv -pr -m 2000")
    world.expect(code == 0 and "No error found" in out, f"ProtoGen: {code}, {out}{errors}")
    code, out, errors = run(f"rm -f big big.cpp; ulimit -v 104857600; {murphi}/src/mu -b *.m; g++ -O3 *.cpp "
                            f"-I{murphi}/include -o checker; timeout 100 stdbuf --output=L ./checker -pr -m 100000 | "
                            "tee out.txt")
    lines = (work / "out.txt").read_text(encoding="utf-8")
    for pattern in TABLE:
        world.expect(re.search(pattern, lines), f"vCXLGen: no {pattern} in {lines}{errors}")
    world.expect(re.search(TABLE[2], lines).group(1) == "10000", f"vCXLGen: {lines}")


def collection(world):
    """Models of generators, where the collection is present."""
    if not COLLECTION.is_dir():
        print(f"not run: {COLLECTION} is not there")
        return
    for name in CLASSIC:
        path = COLLECTION / "classic" / name
        code, out, errors = world.run(["murphi", "-tv", "-pr", "-m", "1000", path], timeout=200)
        verdict = verdict_of_generators(out)
        world.expect(verdict != "out of memory" and (code, verdict) in ((0, "pass"), (1, verdict)) and
                     re.search(TABLE[2], out), f"{path}: {code}, {verdict}, {out[-1000:]}{errors}")
        print(f"{name}: {verdict}, {re.search(TABLE[2], out).group(0)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    tests = (lines_to_the_letter, options, full_table, toolchain, programs, generators, scripts_of_generators,
             collection)
    return attack.in_world(parser.parse_args().strata, [(test.__name__, test) for test in tests])


if __name__ == "__main__":
    sys.exit(main())
