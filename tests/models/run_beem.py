"""Runs BEEM's instances: states, transitions and levels must be those of instances.tsv, and the answers to
reachability and LTL properties those of properties.tsv.

    python3 run_beem.py --strata PATH [--dir DIR] [--states N] [INSTANCE...]

Every row with complete=yes and at most --states states is run. doc/differences.md lists the runs that differ, each
with its reason; a listed run that agrees after all is a failure too, so that the list stays true. A reachability
property is derived from the atomic propositions of X.xml, with the parameters of the instance; its goal must be
reached exactly where the answer is yes, by a shortest path of the listed length. An LTL property whose product has
at most --states states is checked twice: through the property process of X.N.propK.dve, and through the formula.
Exit code 77: the folder is not there."""

import argparse
import csv
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

import strata_run

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_DIR = HERE.parents[2] / "shared" / "models" / "beem"
DIFFERENCES = HERE.parents[1] / "doc" / "differences.md"
# Counts of the whole state space: nothing ends the search, and an error state is a state.
COUNTING = ["--deadlock", "off", "--trace", "off"]


def rows(path):
    with open(path, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def known_differences(path):
    """anderson.3, or brp2.1 property 1 -> reason, from the table of doc/differences.md"""
    rows_of_table = re.findall(r"^\| `([\w-]+\.\d+(?: property \d+(?: by formula)?)?)` \| (.*) \|$",
                               path.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(rows_of_table)


class Family:
    """What X.xml and X.mdve say about the atomic propositions of a family."""

    def __init__(self, folder):
        name = folder.name
        tree = ElementTree.parse(folder / f"{name}.xml").getroot()
        self.propositions = {ap.findtext("ap-name").strip(): ap.findtext("ap-expression").strip()
                             for ap in tree.findall("ap")}
        template = (folder / f"{name}.mdve").read_text(encoding="utf-8", errors="replace")
        self.constants = dict(re.findall(r"^\s*(?:default|define)\((\w+),\s*`?(\d+)'?\)", template, re.MULTILINE))

    def goal(self, formula, parameters):
        """The formula as a DVE expression, or None where a name cannot be resolved."""
        values = {**self.constants, **dict(re.findall(r"(\w+)=(\w+)", parameters))}
        text = re.sub(r"[A-Za-z_]\w*", lambda m: f"({self.propositions[m.group()]})"
                      if m.group() in self.propositions else m.group(), formula)
        text = re.sub(r"myloop\((\w+),\s*(\d+),\s*decr\((\w+)\),\s*(.*?),\s*`( \+ | or )'\)",
                      lambda m: unrolled(m, values), text)
        return re.sub(r"(?<![\w.>])[A-Z][A-Z_]*(?![\w.(]|->)", lambda m: values.get(m.group(), m.group()), text)


def unrolled(match, values):
    """myloop(i,0,decr(N),`P_`'i.CS', ` + '): the body for each i, quotes removed, joined by the separator"""
    name, first, bound, body, separator = match.groups()
    count = int(values[bound])
    return separator.join(re.sub(rf"(?<=')({name})(?=\W)", str(i), body).replace("`", "").replace("'", "")
                          for i in range(int(first), count))


class Case:
    """One run of Strata and what is expected of it."""

    def __init__(self, instance, path, options, expected, algorithm="ram"):
        self.instance, self.path, self.options, self.expected = instance, path, options, expected
        self.algorithm = algorithm

    def problems(self, strata, timeout):
        run = strata_run.check(strata, self.path, self.options, timeout, algorithm=self.algorithm)
        actual = {"states": run.count("states"), "transitions": run.count("transitions"),
                  "levels": len(run.count("levels") or []), "answer": run.answer(),
                  "length": (run.length() or 0) + 1}
        wrong = [f"{key} {actual[key]}, expected {value}" for key, value in self.expected.items()
                 if actual[key] != value]
        if not wrong:
            return ""
        command = f"strata check {self.path} {' '.join(map(repr, self.options))}"
        return f"{self.instance}: {'; '.join(wrong)}\n  {command}" + (
            run.stderr if run.report is None else "")


def counting(row, path):
    expected = {"states": int(row["states"])}
    if row["stat_edges"]:
        expected["transitions"] = int(row["stat_edges"])
    # Levels counted by BEEM's tool and by obelix differ at times; only where they agree they are an expectation.
    if row["bfs_levels"] and row["obelix_diameter"] and int(row["bfs_levels"]) == int(row["obelix_diameter"]) + 1:
        expected["levels"] = int(row["bfs_levels"])
    return Case(row["instance"], path, COUNTING, expected)


def reachability(row, path, goal):
    expected = {"answer": "invariant", "length": int(row["length"])} if row["answer"] == "yes" else {"answer": "holds"}
    return Case(f"{row['instance']} property {row['prop']}", path,
                ["--deadlock", "off", "--invariant", f"not ({goal})"], expected)


def temporal(row, folder, family, parameters):
    """The property process, and the formula with the propositions of the family."""
    expected = {"answer": "holds" if row["answer"] == "yes" else "liveness"}
    name = f"{row['instance']} property {row['prop']}"
    if row["prop_dve"]:
        yield Case(name, folder / row["prop_dve"], [], expected, "auto")
    used = sorted(set(re.findall(r"[A-Za-z_]\w*", row["formula"])) & set(family.propositions))
    definitions = [word for own in used for word in ("-p", f"{own}={family.goal(own, parameters)}")]
    yield Case(f"{name} by formula", folder / f"{row['instance']}.dve", ["--ltl", row["formula"], *definitions],
               expected, "auto")


def cases(folder, limit, names):
    instances = {row["instance"]: row for row in rows(folder / "instances.tsv")}
    chosen = {name: row for name, row in instances.items()
              if (name in names if names else row["complete"] == "yes" and int(row["states"]) <= limit)}
    families = {}
    for name, row in chosen.items():
        family = name.split(".")[0]
        yield counting(row, folder / family / f"{name}.dve")
    for row in rows(folder / "properties.tsv"):
        name = row["instance"]
        family = name.split(".")[0]
        if family not in families:
            families[family] = Family(folder / family)
        if row["answer"] not in ("yes", "no"):
            continue
        if row["type"] == "LTL":
            if name in names if names else row["obelix_product_states"] and int(row["obelix_product_states"]) <= limit:
                yield from temporal(row, folder / family, families[family], instances[name]["params"])
            continue
        if name not in chosen:
            continue
        goal = families[family].goal(row["formula"], chosen[name]["params"])
        yield reachability(row, folder / family / f"{name}.dve", goal)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--dir", default=str(DEFAULT_DIR))
    parser.add_argument("--states", type=int, default=200_000, help="run instances with at most this many states")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("instances", nargs="*", help="names as anderson.4; all without")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.dir)
    if not folder.is_dir():
        print(f"skipped: {folder} is not there")
        return 77
    differences = known_differences(DIFFERENCES)
    chosen = list(cases(folder, arguments.states, arguments.instances))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        found = list(pool.map(lambda case: case.problems(arguments.strata, arguments.timeout), chosen))
    failed = excused = 0
    for case, problem in zip(chosen, found):
        reason = differences.get(case.instance)
        if problem and not reason:
            failed += 1
            print(f"FAILED {problem}")
        elif reason and not problem:
            failed += 1
            print(f"FAILED {case.instance} agrees, but doc/differences.md lists it ({reason})")
        excused += bool(problem and reason)
    print(f"{len(chosen)} runs of {len({c.instance.split(' ')[0] for c in chosen})} instances, "
          f"{excused} differ as listed, {failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
