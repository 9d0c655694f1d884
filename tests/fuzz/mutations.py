"""Mutations of models, of bytes and of tokens, and texts that are hard for any parser."""

import re
from dataclasses import dataclass

import hard_dve

TOKEN = re.compile(rb'"[^"\n]*"|--[^\n]*|[A-Za-z_]\w*|\d+|:=|\.\.|==>|->|<=|>=|!=|==|&&|\|\||<<|>>|\s+|.', re.DOTALL)
WORDS = [b"begin", b"end", b"rule", b"ruleset", b"startstate", b"if", b"then", b"else", b"elsif", b"while", b"do",
         b"for", b"to", b"by", b"forall", b"exists", b"var", b"type", b"const", b"record", b"array", b"of", b"enum",
         b"scalarset", b"multiset", b"union", b"function", b"procedure", b"return", b"alias", b"switch", b"case",
         b"isundefined", b"undefine", b"clear", b"put", b"error", b"assert", b"assume", b"cover", b"invariant",
         b"liveness", b"choose", b"ismember", b"multisetadd", b"multisetcount", b"boolean", b"true", b"false",
         b"undefined", b"(", b")", b"[", b"]", b"{", b"}", b":", b";", b",", b".", b"..", b":=", b"==>", b"->", b"?",
         b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"!", b"~", b"^", b"<<", b">>", b"=", b"0", b"1", b"-1", b'"', b"x"]
NUMBERS = [b"0", b"1", b"2147483647", b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808",
           b"18446744073709551616", b"9" * 400, b"0x" + b"f" * 40, b"00000000000000000000001"]
BYTES = [b"\0", b"\r\n", b"\r", b"\t", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xe2\x88", b"\xf0\x9f\x98\x80", b"\x1b",
         b"\x7f", b"\\", b'"', b"'", b"/*", b"*/", b"--", b"\xe2\x80\x9c", b"\xe2\x88\xa7", b"\xc0\x80"]


def mutate(rng, texts, language):
    """A mutant of one of the texts."""
    text = rng.choice(texts)
    if rng.random() < 0.05:
        return language.hard_text(rng)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        text = rng.choice(MUTATIONS)(rng, text, texts)
        if rng.random() < 0.2:
            text = on_tokens(replace_token_of(language.words))(rng, text, texts)
    return text[:2_000_000]


def position(rng, text):
    return rng.randrange(len(text) + 1)


def flip_byte(rng, text, _texts):
    if not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + bytes([text[at] ^ (1 << rng.randrange(8))]) + text[at + 1:]


def insert_bytes(rng, text, _texts):
    at = position(rng, text)
    return text[:at] + rng.choice(BYTES) * rng.choice([1, 1, 1, 3]) + text[at:]


def delete_bytes(rng, text, _texts):
    at = position(rng, text)
    return text[:at] + text[at + rng.choice([1, 2, 10, 200]):]


def truncate(rng, text, _texts):
    return text[:position(rng, text)]


def splice(rng, text, texts):
    other = rng.choice(texts)
    return text[:position(rng, text)] + other[position(rng, other):]


def line_ends(rng, text, _texts):
    return text.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b"\t\n", b" "]))


def on_tokens(change):
    """A mutation of bytes from one of a list of tokens; only a window of a long text is split into tokens."""

    def mutation(rng, text, _texts):
        start = max(0, position(rng, text) - 2000)
        tokens = TOKEN.findall(text[start:start + 4000])
        if not tokens:
            return text
        change(rng, tokens)
        return text[:start] + b"".join(tokens) + text[start + 4000:]

    return mutation


def swap_tokens(rng, tokens):
    a, b = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[a], tokens[b] = tokens[b], tokens[a]


def duplicate_token(rng, tokens):
    at = rng.randrange(len(tokens))
    tokens[at:at] = [tokens[at]] * rng.choice([1, 1, 2, 50])


def delete_token(rng, tokens):
    at = rng.randrange(len(tokens))
    del tokens[at:at + rng.choice([1, 1, 2, 5])]


def replace_token_of(words):
    def replace_token(rng, tokens):
        tokens[rng.randrange(len(tokens))] = b" " + rng.choice(words) + b" "

    return replace_token


def replace_number(rng, tokens):
    places = [i for i, token in enumerate(tokens) if token.isdigit()]
    if places:
        tokens[rng.choice(places)] = rng.choice(NUMBERS)


def rename(rng, tokens):
    """An identifier becomes another one of the text, so that declarations clash or types do not fit."""
    places = [i for i, token in enumerate(tokens) if re.fullmatch(rb"[A-Za-z_]\w*", token)]
    if places:
        tokens[rng.choice(places)] = tokens[rng.choice(places)]


def move_block(rng, tokens):
    start = rng.randrange(len(tokens))
    block = tokens[start:start + rng.randrange(1, 30)]
    at = rng.randrange(len(tokens))
    tokens[at:at] = block


MUTATIONS = [flip_byte, insert_bytes, delete_bytes, truncate, splice, line_ends, on_tokens(swap_tokens),
             on_tokens(duplicate_token), on_tokens(delete_token), on_tokens(replace_number),
             on_tokens(rename), on_tokens(move_block), on_tokens(swap_tokens)]


# -- hard texts ------------------------------------------------------------------------------------------------------

HEAD = b"var x: boolean; startstate begin x := true; end; rule begin "
TAIL = b" x := !x; end;\n"


def hard_text(rng):
    """A text with one thing deep, long or large."""
    return rng.choice([deep_expression, deep_statement, deep_type, long_identifier, many_rules, huge_number,
                       deep_ruleset, long_line, huge_array])(rng)


def depth(rng):
    return rng.choice([10, 100, 999, 1000, 1001, 5000, 100000])


def deep_expression(rng):
    opening, closing = rng.choice([(b"(", b")"), (b"!", b""), (b"-", b""), (b"x[", b"]"), (b"x ? ", b" : x"),
                                   (b"x & (", b")"), (b"forall i: boolean do ", b" end"), (b"f(", b")"), (b"x.", b"")])
    count = min(depth(rng), 400000 // len(opening))
    return HEAD + b"x := " + opening * count + b"x" + closing * count + b";" + TAIL


def deep_statement(rng):
    opening = rng.choice([b"if x then ", b"while x do ", b"for i: boolean do ", b"alias y: x do ",
                          b"switch x case true: "])
    count = min(depth(rng), 20000)
    return HEAD + opening * count + b"x := x; " + b"end; " * count + TAIL


def deep_type(rng):
    opening, closing = rng.choice([(b"record a: ", b"; end"), (b"array[boolean] of ", b""), (b"array[0..0] of ", b""),
                                   (b"multiset[1] of ", b"")])
    count = min(depth(rng), 20000)
    return b"type t: " + opening * count + b"boolean" + closing * count + b"; var y: t; " + HEAD + TAIL


def deep_ruleset(rng):
    count = min(depth(rng), 20000)
    return b"var x: boolean; startstate begin x := true; end; " + b"ruleset i: boolean do " * count + \
        b"rule begin x := !x; end; " + b"end; " * count


def long_identifier(rng):
    name = b"a" * rng.choice([255, 256, 70000, 1000000])
    return b"var " + name + b": boolean; startstate begin " + name + b" := true; end; rule begin " + name + \
        b" := !" + name + b"; end;\n"


def many_rules(rng):
    return HEAD + TAIL + b"rule begin x := !x; end;\n" * rng.choice([1000, 20000, 80000])


def huge_number(rng):
    return b"const n: " + rng.choice(NUMBERS) + b"; var y: -" + rng.choice(NUMBERS) + b" .. n; " + HEAD + TAIL


def long_line(rng):
    return HEAD + b"x := x" + rng.choice([b" & x", b" | x", b" -> x", b" + 1", b" = x"]) * 50000 + b";" + TAIL


def huge_array(rng):
    """Arrays of arrays whose size passes any integer."""
    count = rng.choice([2, 5, 30])
    types = b"".join(b"t%d: array[0 .. 65535] of %s; " % (i, b"boolean" if i == 0 else b"t%d" % (i - 1))
                     for i in range(count))
    return b"type " + types + b"var y: t%d; " % (count - 1) + HEAD + TAIL


@dataclass(frozen=True)
class Language:
    suffix: str
    words: list
    hard_text: object


LANGUAGES = {"murphi": Language(".m", WORDS, hard_text), "dve": Language(".dve", hard_dve.WORDS, hard_dve.hard_text)}
