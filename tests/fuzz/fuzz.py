"""Fuzzes a front end with mutants of real models.

    python3 fuzz.py --strata PATH --language dve --seconds 60 --seed 1 [--corpus DIR ...] [--memory MEGABYTES]

A finding is a run of `strata info` that ends badly (front_end.py says what that is). It is made smaller, by lines
and then by tokens, as long as it ends in the same way, and stored in findings/ as NAME.m or NAME.dve with NAME.txt
saying how it was found; replay.py runs all of them. Exit code: 0 nothing found, 1 something found."""

import argparse
import hashlib
import os
import pathlib
import random
import sys
import tempfile
import time

import front_end
import mutations

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHARED = ROOT.parent / "shared" / "models"
CORPORA = {"murphi": [ROOT / "examples", ROOT / "tests" / "models" / "murphi", SHARED / "murphi"],
           "dve": [ROOT / "examples", ROOT / "tests" / "models" / "dve", SHARED / "dve-small", SHARED / "beem"]}
MINIMISE_SECONDS = 60


class Fuzzer:
    """Mutates, runs, minimises, stores."""

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.language = mutations.LANGUAGES[arguments.language]
        self.scratch = pathlib.Path(folder) / ("mutant" + self.language.suffix)
        self.findings = pathlib.Path(arguments.findings)
        self.rng = random.Random(arguments.seed)
        self.texts = read_corpus(arguments.corpus or CORPORA[arguments.language], self.language.suffix)
        self.runs = 0
        self.found = []

    def complaint(self, text):
        self.scratch.write_bytes(text)
        self.runs += 1
        return front_end.complaint(self.arguments.strata, self.scratch, self.arguments.timeout, self.arguments.memory)

    def run(self):
        end = time.monotonic() + self.arguments.seconds
        kinds = set()
        while time.monotonic() < end and len(self.found) < self.arguments.max_findings:
            text = mutations.mutate(self.rng, self.texts, self.language)
            wrong = self.complaint(text)
            if wrong and kind_of(wrong) not in kinds:
                kinds.add(kind_of(wrong))
                self.store(self.minimise(text, wrong), wrong)

    def minimise(self, text, wrong):
        """A smaller text that ends in the same way."""
        end = time.monotonic() + MINIMISE_SECONDS

        def still_bad(candidate):
            return kind_of(self.complaint(candidate)) == kind_of(wrong)

        lines = reduce_list(text.splitlines(keepends=True), still_bad, end)
        return b"".join(reduce_list(mutations.TOKEN.findall(b"".join(lines)), still_bad, end))

    def store(self, text, wrong):
        name = hashlib.sha256(text).hexdigest()[:12]
        self.findings.mkdir(exist_ok=True)
        path = self.findings / f"{name}{self.language.suffix}"
        path.write_bytes(text)
        note = f"{wrong}\nfound by fuzz.py, seed {self.arguments.seed}, run {self.runs}\n"
        (self.findings / f"{name}.txt").write_text(note, encoding="utf-8")
        self.found.append(name)
        print(f"FINDING {path}: {wrong}", flush=True)
        print(f"  again: {self.arguments.strata} info {path}", flush=True)


def kind_of(wrong):
    """Findings of one kind are taken to be the same; addresses in a report differ from run to run."""
    return wrong.split("0x")[0] if wrong.startswith("sanitizer") else wrong


def reduce_list(items, still_bad, end):
    """Delta debugging: leaves out ever smaller pieces while the rest stays bad, until the time `end`."""
    size = max(1, len(items) // 2)
    while True:
        at = 0
        while at < len(items):
            if time.monotonic() > end:
                return items
            rest = items[:at] + items[at + size:]
            if still_bad(b"".join(rest)):
                items = rest
            else:
                at += size
        if size == 1:
            return items
        size //= 2


def read_corpus(folders, suffix):
    texts = [path.read_bytes() for folder in folders for path in sorted(pathlib.Path(folder).rglob("*" + suffix))]
    if not texts:
        sys.exit("no models in the corpus: " + ", ".join(map(str, folders)))
    # Small models are mutated where it matters more often, so large ones come in only once.
    return [text for text in texts for _ in range(3 if len(text) < 5000 else 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--language", choices=sorted(mutations.LANGUAGES), default="murphi")
    parser.add_argument("--corpus", nargs="+", help="folders with models")
    parser.add_argument("--timeout", type=int, default=10, help="seconds of processor time for one run")
    parser.add_argument("--memory", type=int, default=0, help="limit of address space in MiB; not with sanitizers")
    parser.add_argument("--findings", default=str(HERE / "findings"))
    parser.add_argument("--max-findings", type=int, default=20)
    arguments = parser.parse_args()
    if not os.access(arguments.strata, os.X_OK):
        sys.exit(f"{arguments.strata} is not a program")
    print(f"seed {arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="strata-fuzz-") as folder:
        fuzzer = Fuzzer(arguments, folder)
        fuzzer.run()
    print(f"{fuzzer.runs} runs, {len(fuzzer.found)} findings")
    return 1 if fuzzer.found else 0


if __name__ == "__main__":
    sys.exit(main())
