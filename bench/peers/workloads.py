"""The measured models: files, constants, and the substitutions that let rumur read a model.

A constant is set for strata by -D, for rumur by rewriting its line in a temporary copy, for spin by -D.

Rumur has no unions. With symmetry off a scalarset is a plain subrange, so a union of two scalarsets is the subrange
that holds both one after the other, and Ismember is a comparison: the state space is the same, which the counts of
the models' authors confirm. Rumur also runs `for i := 0 to -1` downwards (0, then -1) where Murphi skips the loop,
so such a loop is put into an `if`. Strata always reads the model as it was published.
"""

import dataclasses
import re

import measure


@dataclasses.dataclass
class Workload:
    name: str
    path: str  # below the folder of the classic models, or below examples/
    constants: dict  # in a full run
    quick: dict = None  # in a quick run; None leaves the workload out
    counts: dict = dataclasses.field(default_factory=dict)  # {constants as text: (states, rules)} where published
    rewrite: list = dataclasses.field(default_factory=list)  # (pattern, replacement), for rumur
    classic: bool = True

    def chosen(self, quick):
        return self.quick if quick else self.constants

    def title(self, quick):
        return f"{self.name} {label(self.chosen(quick))}"

    def published(self, quick):
        return self.counts.get(label(self.chosen(quick)))


@dataclasses.dataclass
class DveWorkload:
    name: str  # examples/NAME.m and examples/NAME.dve
    constants: dict
    quick: dict

    def chosen(self, quick):
        return self.quick if quick else self.constants

    def title(self, quick):
        return f"{self.name} {label(self.chosen(quick))}"


@dataclasses.dataclass
class SpinWorkload:
    name: str  # examples/NAME.m and promela/NAME.pml
    constants: dict
    quick: dict
    macros: dict  # Murphi constant -> Promela macro
    states: dict  # {quick: upper bound}; sizes pan's hash table and depth-first stack
    suffix: str = ".m"  # the language of strata's side

    def chosen(self, quick):
        return self.quick if quick else self.constants

    def title(self, quick):
        language = " (DVE)" if self.suffix == ".dve" else ""
        return f"{self.name} {label(self.chosen(quick))}{language}"


def label(constants):
    return " ".join(f"{name}={value}" for name, value in constants.items())


CACHE3_REWRITE = [
    (r"Home:\s*Scalarset \(HomeCount\)", "Home: 0..HomeCount-1"),
    (r"Proc:\s*Scalarset \(ProcCount\)", "Proc: HomeCount..HomeCount+ProcCount-1"),
    (r"Union \{ Home, Proc\}", "0..HomeCount+ProcCount-1"),
    (r"Ismember\(n, *Proc\)", "n >= HomeCount"),
    (r"Ismember\(n, *Home\)", "n < HomeCount"),
]

LDASH_REWRITE = [
    (r"Scalarset \(HomeCount\)", "0..HomeCount-1"),
    (r"Scalarset \(ProcCount-HomeCount\)", "HomeCount..ProcCount-1"),
    (r"Union \{Home,Remote\}", "0..ProcCount-1"),
    (r"(?s)For i ?:= 0 to (\w+)-2 Do(.*?)Endfor;", r"If \1 > 1 Then For i := 0 to \1-2 Do\2Endfor; Endif;"),
]

LIST6_REWRITE = [
    (r"Scalarset\(1\)", "0..0"),
    (r"Scalarset\(CellCount-1\)", "1..CellCount-1"),
    (r"Union\{HeadCell, RestCells\}", "0..CellCount-1"),
]

WORKLOADS = [
    Workload("n_peterson", "sym/n_peterson.m", {"N": 6}, {"N": 5},
             counts={"N=5": (628868, 3144340), "N=6": (17704917, 106229502)}),
    Workload("mcslock1", "sym/mcslock1.m", {"N": 5}, {"N": 4}, counts={"N=4": (554221, 2216884)}),
    Workload("mcslock2", "sym/mcslock2.m", {"N": 3}, {"N": 3}, counts={"N=3": (3240032, 9720096)}),
    Workload("cache3", "sym/cache3.m", {"ProcCount": 4}, {"ProcCount": 4, "ValueCount": 1}, rewrite=CACHE3_REWRITE,
             counts={"ProcCount=4": (762114, 5720176), "ProcCount=4 ValueCount=1": (200913, 1466616)}),
    Workload("ldash", "sym/ldash.m", {"RemoteCount": 4}, {"RemoteCount": 3}, rewrite=LDASH_REWRITE,
             counts={"RemoteCount=3": (55366, 422613)}),
    Workload("list6-5", "sym/list6.m", {"CellCount": 5}, {"CellCount": 5}, rewrite=LIST6_REWRITE,
             counts={"CellCount=5": (560185, 2389561)}),
    Workload("list6-6", "sym/list6.m", {"CellCount": 6}, None, rewrite=LIST6_REWRITE),
    Workload("peterson", "peterson.m", {"N": 5}, {"N": 4}, classic=False),
    Workload("msi", "msi.m", {"ProcCount": 4, "ValueCount": 3}, {"ProcCount": 4, "ValueCount": 2}, classic=False),
]

DVE_WORKLOADS = [DveWorkload("peterson", {"N": 5}, {"N": 4})]

SPIN_WORKLOADS = [
    SpinWorkload("peterson", {"N": 5}, {"N": 4}, {"N": "N"},
                 {True: 200_000, False: 13_000_000}),
    SpinWorkload("peterson", {"N": 5}, {"N": 4}, {"N": "N"},
                 {True: 200_000, False: 13_000_000}, suffix=".dve"),
    SpinWorkload("sliding_window", {"Window": 3, "SeqSpace": 6, "Capacity": 4},
                 {"Window": 3, "SeqSpace": 6, "Capacity": 3},
                 {"Window": "WINDOW", "SeqSpace": "SEQ_SPACE", "Capacity": "CAPACITY"},
                 {True: 500_000, False: 5_000_000}),
]


def rumur_text(text, constants, rewrite):
    """The model as rumur gets it. A substitution that finds no match is an error: the file is not the expected
    model."""
    for name, value in constants.items():
        text = _substitute(text, rf"(?m)^(\s*{name}\s*:)[^;]*;", rf"\g<1> {value};", count=1)
    for pattern, replacement in rewrite:
        text = _substitute(text, pattern, replacement)
    return text


def _substitute(text, pattern, replacement, count=0):
    text, found = re.subn(pattern, replacement, text, count=count)
    if not found:
        raise measure.ToolError(f"the model has nothing that matches {pattern}")
    return text
