"""Graphs of models, read back by Graphviz, networkx and by hand: the same states and edges in every format, and as
many as `strata check` finds.

    python3 run_graphs.py --strata PATH MODEL...

The models have no errors and fewer than a few thousand states. One of them is drawn as well."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import networkx
import strata_run

LIMIT = "100000"


def command(arguments, expected=0):
    process = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False, timeout=120)
    if process.returncode != expected:
        sys.exit(f"FAILED {arguments}: exit {process.returncode}\n{process.stdout}{process.stderr}")
    return process.stdout + process.stderr


def aut_edges(path):
    """The first state, the number of states, and the edges of an Aldebaran file."""
    lines = path.read_text().splitlines()
    first, transitions, states = map(int, re.fullmatch(r"des \((\d+), (\d+), (\d+)\)", lines[0]).groups())
    edges = [re.fullmatch(r'\((\d+), "([^"]*)", (\d+)\)', line).groups() for line in lines[1:]]
    if len(edges) != transitions:
        sys.exit(f"FAILED {path}: {len(edges)} edges, its head says {transitions}")
    return first, states, sorted((int(a), rule, int(b)) for a, rule, b in edges)


def compare(what, found, wanted):
    if found != wanted:
        sys.exit(f"FAILED {what}: {str(found)[:500]}, expected {str(wanted)[:500]}")


def check_model(strata, model, folder):
    for end in ("json", "graphml", "dot", "aut"):
        command([strata, "graph", model, "-o", folder / f"g.{end}", "--states", LIMIT])
    graph = json.loads((folder / "g.json").read_text())
    checked = strata_run.check(strata, model, ["--symmetry", "off", "--deadlock", "off"])
    compare(f"{model}: states", len(graph["states"]), checked.count("states"))
    compare(f"{model}: edges", len(graph["edges"]), checked.count("transitions"))
    levels = [0] * (max(state["level"] for state in graph["states"]) + 1)
    for state in graph["states"]:
        levels[state["level"]] += 1
    compare(f"{model}: levels", levels, checked.count("levels"))
    edges = sorted((e["from"], e["rule"].replace('"', "'"), e["to"]) for e in graph["edges"])
    initial = [state["id"] for state in graph["states"] if state["initial"]]

    first, states, found = aut_edges(folder / "g.aut")
    if len(initial) > 1:
        compare(f"{model}: tau", [e for e in found if e[0] == first], [(first, "tau", i) for i in initial])
        found = [e for e in found if e[0] != first]
        states -= 1
    compare(f"{model}: aut", (states, found), (len(graph["states"]), edges))

    read = networkx.read_graphml(folder / "g.graphml", force_multigraph=True)
    compare(f"{model}: graphml", sorted((int(a[1:]), d["rule"].replace('"', "'"), int(b[1:]))
                                        for a, b, d in read.edges(data=True)),
            edges)
    compare(f"{model}: initial", sorted(int(n[1:]) for n, d in read.nodes(data=True) if d["initial"]), initial)
    reachable = set(initial)
    for state in initial:
        reachable |= {int(n[1:]) for n in networkx.descendants(read, f"s{state}")}
    compare(f"{model}: reachable", len(reachable), len(graph["states"]))

    # In the picture, the edges of one rule that differ in its parameters are one.
    joined = {(a, re.sub(r", \w+:.*$", "", rule), b) for a, rule, b in edges}
    counts = command(["gc", "-n", "-e", folder / "g.dot"])
    nodes, arrows = map(int, counts.split()[:2])
    compare(f"{model}: dot", (nodes - len(initial), arrows - len(initial)), (len(graph["states"]), len(joined)))
    if len(graph["states"]) < 100:
        drawing = command(["dot", "-Tsvg", folder / "g.dot"])
        compare(f"{model}: drawn", drawing.count('class="node"'), nodes)
    again = folder / "again.json"
    command([strata, "graph", model, "-o", again, "--states", LIMIT])
    compare(f"{model}: the same again", again.read_text(), (folder / "g.json").read_text())
    # A limit is told, in the file and by the exit code.
    text = command([strata, "graph", model, "-o", folder / "cut.json", "--states", "2"], 152)
    cut = json.loads((folder / "cut.json").read_text())
    compare(f"{model}: cut", (cut["whole"], len(cut["states"]), "--states 2" in cut["note"], "--states 2" in text),
            (False, 2, True, True))


def check_around(strata, model, folder):
    """A graph around a counterexample has its states and steps."""
    found = strata_run.check(strata, model, ["--symmetry", "off"]).counterexample()
    for distance in ("0", "1"):
        command([strata, "graph", model, "-o", folder / "around.json", "--around", distance])
        graph = json.loads((folder / "around.json").read_text())
        on_path = [state["state"] for state in graph["states"] if state["on_path"]]
        for step in found["steps"]:
            if step["state"] is not None and step["state"] not in on_path:
                sys.exit(f"FAILED {model}: a state of the counterexample is not in the graph")
        compare(f"{model}: path", sum(e["on_path"] for e in graph["edges"]), len(on_path) - 1)
        if not any(state["errors"] for state in graph["states"] if state["on_path"]):
            sys.exit(f"FAILED {model}: no state of the counterexample has an error")
        if distance == "0":
            compare(f"{model}: only the path", len(graph["states"]), len(on_path))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--around", nargs="*", default=[], help="models with an error")
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models:
            check_model(arguments.strata, model, pathlib.Path(folder))
        for model in arguments.around:
            check_around(arguments.strata, model, pathlib.Path(folder))
    print(f"{len(arguments.models)} graphs, {len(arguments.around)} around counterexamples")


if __name__ == "__main__":
    main()
