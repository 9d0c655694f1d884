"""Programs that declare a scalarset and then tell its values apart, in a way that the language cannot forbid.

Each has a part that is symmetric, drawn at random, and one rule or start state that is not.
"""

import random

# name of the rule, its lines, further declarations; X is the scalarset
BREAKS = {
    "last": ("keep", ["for k: X do", "  if flag[k] then chosen := k; end;", "end;"]),
    "first": ("keep", ["undefine chosen;", "for k: X do", "  if flag[k] & isundefined(chosen) then chosen := k; end;",
                       "end;"]),
    "function": ("keep", ["chosen := first();"]),
    "order": ("keep", ["if !isundefined(chosen) then", "  for k: X do flag[k] := !flag[chosen]; end;", "end;"]),
    "multiset": ("keep", ["multisetremovepred(m: bag, true);", "for k: X do",
                          "  if multisetcount(m: bag, true) < 1 then multisetadd(k, bag); end;", "end;"]),
    "clear": ("keep", ["clear chosen;"]),
    "clear record": ("keep", ["clear both;"]),
}
FUNCTION = ["function first(): X;", "begin", "  for k: X do", "    if flag[k] then return k; end;", "  end;",
            "  return nobody;", "end;", ""]


def asymmetric(seed):
    """(text, name of the scalarset, name of the rule, whether the text itself shows the asymmetry)"""
    rng = random.Random(seed)
    kind = list(BREAKS)[seed % len(BREAKS)]
    rule, lines = BREAKS[kind]
    size = rng.randint(2, 4)
    name = rng.choice(["Proc", "Node", "Value"])
    guard = rng.choice(["", "exists k: X do flag[k] end ==>", "turn ==>"])
    if kind == "order":
        guard = ""
    text = ["type", f"  X: scalarset({size});", "var", "  flag: array [X] of boolean;", "  chosen: X;", "  nobody: X;",
            "  turn: boolean;", "  bag: multiset [1] of X;", "  both: record number: 0 .. 1; who: X; end;", ""]
    text += FUNCTION if kind == "function" else []
    text += ["startstate", "begin", "  for k: X do flag[k] := false; end;", "  undefine chosen; undefine nobody;",
             "  undefine bag; undefine both; turn := false;", "end;", ""]
    text += ["ruleset p: X do", '  rule "toggle" begin flag[p] := !flag[p]; end;', "end;", ""]
    if rng.random() < 0.6 or kind == "order":
        text += ["ruleset p: X do", '  rule "choose" flag[p] ==> begin chosen := p; end;', "end;", ""]
    text += ['rule "turn" begin turn := !turn; end;', "", f'rule "{rule}" {guard}', "begin",
             *("  " + line for line in lines), "end;"]
    program = "\n".join(text) + "\n"
    for character in ("X;", "X ", "X:", "X]"):
        program = program.replace(character, name + character[1:])
    return program, name, rule, kind.startswith("clear")
