"""The module `strata` for Python, as its users call it. Run by library.py, with the module in PYTHONPATH."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

import strata

EXAMPLES = Path(os.environ["STRATA_EXAMPLES"])
COUNTER = """
var n: 0..9; on: array [0..1] of boolean; last: 0..3;
startstate "zero" n := 0; on[0] := true; on[1] := false; undefine last; endstartstate;
rule "up" n < 9 ==> n := n + 1; on[0] := !on[0]; endrule;
invariant "small" n < 4;
"""
ENDLESS = """
var x: array [0..5] of 0..100;
startstate for i: 0..5 do x[i] := 0; endfor; endstartstate;
ruleset i: 0..5 do rule "up" x[i] < 100 ==> x[i] := x[i] + 1; endrule; endruleset;
"""
SMALL = {"threads": 1, "memory": "256M"}


class Check(unittest.TestCase):
    def test_a_file(self):
        result = strata.check(EXAMPLES / "peterson.m", define={"N": 2}, **SMALL)
        self.assertEqual((result.verdict, result.exit_code, result.stop), ("holds", 0, None))
        self.assertEqual(result.report["states"], result.states)
        self.assertEqual(sum(result.levels), result.states)
        self.assertEqual(sum(rule["fired"] for rule in result.rules), result.transitions)
        self.assertTrue(all(one["holds"] for one in result.properties))
        self.assertIn("pc", [variable["name"] for variable in result.variables])
        self.assertIn("No error found.", result.text)
        self.assertEqual(repr(result), f"<strata.Result holds, {result.states} states>")
        self.assertEqual(result.counterexamples, [])

    def test_a_text_and_its_counterexample(self):
        result = strata.check(text=COUNTER, language="murphi", name="counter.m", **SMALL)
        self.assertEqual((result.verdict, result.message), ("violated", 'Invariant "small" failed.'))
        [found] = result.counterexamples
        self.assertEqual(found["message"], 'Invariant "small" failed.')
        self.assertEqual(found["position"], {"file": "counter.m", "line": 5, "column": 1})
        self.assertEqual((found["length"], found["loop"], found["failing_rule"]), (4, None, ""))
        self.assertEqual(found["steps"][0], {"rule": "zero", "state": {"n": 0, "on": {0: True, 1: False},
                                                                       "last": None}})
        self.assertEqual(found["steps"][-1], {"rule": "up", "state": {"n": 4, "on": {0: True, 1: False}, "last": None}})
        self.assertEqual(result.properties[0]["holds"], False)

    def test_a_depth_that_is_not_exact(self):
        exact = strata.check(EXAMPLES / "peterson.m", **SMALL)
        self.assertEqual((exact.depth, exact.depth_at_most, exact.levels_exact), (43, None, True))
        late = strata.check(EXAMPLES / "peterson.m", algorithm="local", threads=1, memory="48M")
        self.assertEqual((late.depth, late.depth_at_most, late.levels_exact), (None, 43, False))

    def test_a_formula(self):
        result = strata.check(text=COUNTER, language="murphi", ltl="EF big", proposition={"big": "n > 2"}, **SMALL)
        self.assertEqual(result.verdict, "holds")
        self.assertEqual(result.witness["steps"][-1]["state"]["n"], 3)

    def test_errors(self):
        with self.assertRaises(strata.Error) as raised:
            strata.check(text="var n: Nat;", language="murphi")
        self.assertEqual(raised.exception.kind, "model")
        self.assertEqual(raised.exception.exit_code, 150)
        self.assertEqual(raised.exception.messages[0],
                         {"position": {"file": "model", "line": 1, "column": 8},
                          "text": "unknown type 'Nat'; integers are declared by their range, for example 0..255"})
        with self.assertRaisesRegex(strata.Error, "there is no option 'memroy'; the options are language, undefined, "):
            strata.check(text=COUNTER, language="murphi", memroy="1G")
        with self.assertRaisesRegex(strata.Error, "/nowhere/model.m"):
            strata.check("/nowhere/model.m")
        with self.assertRaisesRegex(TypeError, "a path or a text"):
            strata.check()
        with self.assertRaisesRegex(ValueError, "interval"):
            strata.check(text=COUNTER, language="murphi", interval=0)

    def test_options(self):
        result = strata.check(text=COUNTER, language="murphi", bound=2, fold=True, invariant=["n < 9", "n < 8"],
                              **SMALL)
        self.assertEqual((result.verdict, result.stop), ("incomplete", "bound"))
        self.assertEqual(len(result.properties), 3)
        self.assertIn("time_limit", strata.options)
        self.assertNotIn("json", strata.options)

    def test_progress_cancels(self):
        seen = []

        def progress(now):
            seen.append(now)
            return now["states"] < 1000

        result = strata.check(text=ENDLESS, language="murphi", progress=progress, interval=0.01, **SMALL)
        self.assertEqual((result.verdict, result.stop, result.exit_code), ("incomplete", "cancelled", 130))
        self.assertGreaterEqual(result.states, 1000)
        self.assertEqual(set(seen[0]), {"phase", "seconds", "states", "transitions", "queue", "levels", "memory",
                                        "disk"})

    def test_only_false_cancels_and_once(self):
        for other in (0, "", [], None, {}):
            self.assertIsNone(strata.check(EXAMPLES / "peterson.m", define={"N": 4},
                                           progress=lambda _, answer=other: answer, interval=0.001, **SMALL).stop)
        calls = []

        def progress(board):
            if board["states"] == 0:
                return None  # the model is still being loaded
            calls.append(None)
            return False

        result = strata.check(text=ENDLESS, language="murphi", progress=progress, interval=0.001, **SMALL)
        self.assertEqual((result.stop, len(calls)), ("cancelled", 1))

    def test_what_progress_raises(self):
        def progress(_):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            strata.check(text=ENDLESS, language="murphi", progress=progress, interval=0.01, **SMALL)
        self.assertEqual(strata.check(text=COUNTER, language="murphi", **SMALL).verdict, "violated")

    def test_interrupt(self):
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            strata.check(text=ENDLESS, language="murphi", time_limit=60, **SMALL)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(strata.check(text=COUNTER, language="murphi", **SMALL).verdict, "violated")

    def test_two_at_once(self):
        started, kinds = threading.Event(), []

        def second():
            started.wait(30)
            try:
                strata.check(text=COUNTER, language="murphi", **SMALL)
            except strata.Error as error:
                kinds.append(error.kind)

        def progress(now):
            if now["states"] > 0:
                started.set()
            return not kinds

        other = threading.Thread(target=second)
        other.start()
        result = strata.check(text=ENDLESS, language="murphi", progress=progress, interval=0.01, time_limit=60, **SMALL)
        other.join()
        self.assertEqual((kinds, result.stop), (["busy"], "cancelled"))

    def test_prints_nothing(self):
        script = f"import strata; strata.check(text={COUNTER!r}, language='murphi', threads=1, memory='256M')"
        process = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
        self.assertEqual((process.stdout, process.stderr), (b"", b""))


if __name__ == "__main__":
    unittest.main()
