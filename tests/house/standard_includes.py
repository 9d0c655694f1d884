"""A file includes, itself or by a header of the project, the standard header of each name that it uses. The
compiler does not show this: headers of one standard library include others, those of the next version fewer."""

import re

import house

# header -> the names that it must provide. Names that a class brings along (the size of a std::vector) are not listed.
NAMES = {
    "algorithm": r"(?:min|max|minmax|clamp|sort|stable_sort|find|find_if|any_of|all_of|none_of|copy|fill|equal|reverse|"
                 r"rotate|shuffle|transform|unique|count_if|remove_if|lower_bound|upper_bound|max_element|min_element)"
                 r"(?=\s*[(<])|ranges::\w+",
    "array": "array",
    "atomic": r"atomic\w*",
    "bit": r"bit_\w+|popcount|count[lr]_zero|has_single_bit|rotl|rotr|endian",
    "chrono": "chrono",
    "cmath": r"(?:ceil|floor|log|log2|pow|exp|sqrt|isfinite|round|llround)(?=\s*\()",
    "compare": "strong_ordering|weak_ordering|partial_ordering",
    "condition_variable": r"condition_variable\w*",
    "csignal": "signal|raise|sig_atomic_t",
    "cstddef": "ptrdiff_t|byte|max_align_t",
    "cstdint": r"u?int(?:8|16|32|64)_t",
    "cstdio": r"f?printf|fopen|fclose|FILE|snprintf|fflush|fputs|fwrite|perror",
    "cstdlib": r"getenv|abort|exit|_Exit|strto\w+|malloc|free",
    "cstring": r"mem(?:cpy|cmp|set|move|chr)|str(?:len|cmp|error|chr|rchr)",
    "deque": "deque",
    "exception": "exception|terminate|current_exception|exception_ptr",
    "filesystem": "filesystem",
    "fstream": "[io]?fstream",
    "functional": "function|greater|c?ref",
    "initializer_list": "initializer_list",
    "iostream": "cout|cerr|cin",
    "iterator": "back_inserter|istreambuf_iterator|make_move_iterator|next|prev|distance|advance",
    "limits": "numeric_limits",
    "map": "(?:multi)?map",
    "memory": "unique_ptr|shared_ptr|make_unique|make_shared|construct_at",
    "mutex": "mutex|lock_guard|unique_lock|scoped_lock|once_flag|call_once",
    "new": "bad_alloc|nothrow|align_val_t|launder",
    "numeric": "accumulate|iota|gcd|lcm|reduce",
    "optional": "optional|nullopt",
    "queue": "(?:priority_)?queue",
    "set": "(?:multi)?set",
    "span": "span",
    "sstream": "[io]?stringstream",
    "stdexcept": "runtime_error|logic_error|out_of_range|invalid_argument|length_error",
    "string": "string|to_string",
    "string_view": "string_view",
    "system_error": "error_code|error_condition|system_category|generic_category",
    "thread": "j?thread|this_thread",
    "tuple": "tuple|tie|make_tuple",
    "type_traits": r"is_\w+_v|conditional_t|decay_t|remove_\w+_t|enable_if\w*",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "move|exchange|pair|make_pair|forward|swap|declval",
    "variant": "variant|visit|get_if|monostate|holds_alternative",
    "vector": "vector",
}
# Names that the standard headers of C define outside std, too.
PLAIN = {"cstdint": r"\bu?int(?:8|16|32|64)_t\b", "cerrno": r"\berrno\b"}
USES = {header: re.compile(rf"\bstd::(?:{names})(?!\w)") for header, names in NAMES.items()}
USES |= {header: re.compile(rf"{names}|{USES[header].pattern}" if header in USES else names)
         for header, names in PLAIN.items()}
C_HEADERS = {name: name[1:] + ".h" for name in
             ("cstdint", "cstdlib", "cstring", "cstdio", "cerrno", "csignal", "cstddef", "cmath")}
# These become part of the text of a model, which includes for all of them (house.headers_alone has their order).
TEXTS_OF_MODELS = re.compile(r"src/native/(abi|runtime/\w+|symmetry/\w+)\.h$")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)', re.M)
# Comments and literals name things without using them.
PROSE = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)


def included(path, known):
    """The standard headers that a file includes, also by headers of the project."""
    if path not in known:
        known[path] = set()
        for bracket, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            inside = [folder / name for folder in (house.ROOT / "src", path.parent) if (folder / name).exists()]
            if bracket == '"' and inside:
                known[path] |= included(inside[0], known)
            else:
                known[path].add(name)
    return known[path]


def missing(path, known):
    text = PROSE.sub('""', path.read_text(encoding="utf-8"))
    have = included(path, known)
    return [header for header, use in USES.items()
            if use.search(text) and header not in have and C_HEADERS.get(header) not in have]


found = []
seen = {}
sources = [path for path in house.files("src", "bench", "tests", "python", suffixes={".h", ".cc"})
           if not TEXTS_OF_MODELS.search(house.shown(path))]
for source in sources:
    found += [f"{house.shown(source)} uses names of <{header}> and does not include it"
              for header in missing(source, seen)]
house.finish(found, f"{len(sources)} files")
