"""DVE texts with one thing deep, long or large, and the words of the language."""

WORDS = [b"byte", b"int", b"const", b"input", b"channel", b"process", b"state", b"init", b"accept", b"commit",
         b"assert", b"trans", b"guard", b"sync", b"effect", b"system", b"async", b"property", b"ltl", b"expression",
         b"for", b"key", b"true", b"false", b"not", b"and", b"or", b"imply", b"(", b")", b"[", b"]", b"{", b"}", b":",
         b";", b",", b".", b"..", b"=", b"==", b"!=", b"->", b"?", b"!", b"~", b"+", b"-", b"*", b"/", b"%", b"&", b"|",
         b"^", b"<<", b">>", b"<", b"<=", b"0", b"1", b"-1", b"256", b'"', b"x", b"P"]
HEAD = b"byte x; byte list[3]; channel c; channel {byte, int} d[2]; process P { state a, b; init a; trans a -> b { "
TAIL = b" }; }\nsystem async;\n"


def hard_text(rng):
    return rng.choice([deep_expression, long_chain, long_identifier, many_transitions, many_processes, huge_array,
                       huge_loop, many_channels, deep_expressions, long_line])(rng)


def depth(rng):
    return rng.choice([10, 100, 999, 1000, 1001, 5000, 100000])


def deep_expression(rng):
    opening, closing = rng.choice([(b"(", b")"), (b"!", b""), (b"not ", b""), (b"-", b""), (b"list[", b"]"),
                                   (b"x && (", b")"), (b"x imply (", b")"), (b"P(", b").a"), (b"~", b"")])
    count = min(depth(rng), 400000 // len(opening))
    return HEAD + b"guard " + opening * count + b"x" + closing * count + b";" + TAIL


def long_chain(rng):
    operator = rng.choice([b"+", b" and ", b"||", b"*", b"<<", b" imply ", b"=="])
    return HEAD + b"guard " + operator.join([b"x"] * min(depth(rng), 30000)) + b";" + TAIL


def long_identifier(rng):
    return HEAD + b"guard " + b"x" * depth(rng) + b";" + TAIL


def many_transitions(rng):
    return HEAD + b"}, a -> b {".join([b" effect x = x + 1; "] * min(depth(rng), 5000)) + TAIL


def many_processes(rng):
    process = b"process P%d { state a; init a; trans a -> a { sync c!; }, a -> a { sync c?; }; }\n"
    return b"channel c;\n" + b"".join(process % i for i in range(rng.choice([2, 20, 100]))) + b"system async;\n"


def huge_array(rng):
    size = rng.choice([b"0", b"1", b"-1", b"16777216", b"16777217", b"2147483647", b"99999999999", b"x"])
    return b"byte y[" + size + b"] = {1, 2}; channel {int} e[" + size + b"];" + HEAD + TAIL


def huge_loop(rng):
    last = rng.choice([b"3", b"0", b"-1", b"9999", b"10000", b"2147483647", b"n"])
    return b"process Q(key i) { state a; init a; } for (n : 1 .. " + last + b") { process Q(n); }\n" + HEAD + TAIL


def many_channels(rng):
    return b"channel " + b", ".join(b"c%d" % i for i in range(min(depth(rng), 5000))) + b";" + HEAD + TAIL


def deep_expressions(rng):
    count = rng.choice([2, 10, 1000])
    chain = b"".join(b"expression e%d() { e%d and e%d }\n" % (i, i + 1, i + 1) for i in range(count))
    return chain + b"expression e%d() { e0 }\n" % count + HEAD + TAIL


def long_line(rng):
    return HEAD + b" " * depth(rng) + b"guard x ] ;" + TAIL
