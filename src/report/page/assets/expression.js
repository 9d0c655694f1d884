// Expressions over the values of a state as the page shows them, with the grammar of `strata trace --show`:
//
//   or         := and (("|" | "||" | "or") and)*              after it: "->" or "implies", to the right
//   and        := not (("&" | "&&" | "and") not)*
//   not        := ("!" | "not") not | comparison
//   comparison := sum (("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") sum)?
//   sum        := product (("+" | "-") product)*
//   product    := unary (("*" | "/" | "%") unary)*
//   unary      := "-" unary | "(" or ")" | number | true | false | Undefined | place | name
//   place      := variable ("." name | "[" or "]" | "{" or "}")*
//
// A name that no variable has is a symbol. An undefined value equals only Undefined; any other use of it is an error.
"use strict";
(() => {
  const {values} = window.strata;
  const {isNode, same} = values;

  const kSigns = [
    "->", "||", "&&", "==", "!=", "<=", ">=", "|", "&", "!", "=", "<", ">",
    "+",  "-",  "*",  "/",  "%",  "(",  ")",  "[", "]", "{", "}", "."
  ];
  const kWords = {or: "|", and: "&", not: "!", implies: "->"};
  const kAlike = {"||": "|", "&&": "&", "==": "="};
  const isNamePart = (c) => c !== undefined && /[\p{L}\p{N}_]/u.test(c);

  // The tokens {kind, text, at}; a kind is "sign", "number", "name" or "variable". Names of variables may contain
  // blanks and signs.
  function tokens(text, variables) {
    const known = [...variables].sort((a, b) => b.length - a.length), found = [];
    for (let at = 0; at < text.length;) {
      if (/\s/.test(text[at])) {
        ++at;
        continue;
      }
      const fits = (word) =>
          text.startsWith(word, at) && !(isNamePart(word[word.length - 1]) && isNamePart(text[at + word.length]));
      const afterDot = found.length > 0 && found[found.length - 1].text === ".";
      const variable = afterDot ? undefined : known.find(fits);
      const word = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(text.slice(at)), number = /^\d+/.exec(text.slice(at));
      if (variable !== undefined) {
        found.push({kind: "variable", text: variable, at});
        at += variable.length;
      } else if (word) {
        const sign = kWords[word[0].toLowerCase()];
        found.push({kind: sign ? "sign" : "name", text: sign || word[0], at});
        at += word[0].length;
      } else if (number) {
        found.push({kind: "number", text: number[0], at});
        at += number[0].length;
      } else {
        const sign = kSigns.find((one) => text.startsWith(one, at));
        if (!sign) throw new Error(`'${text[at]}' means nothing here`);
        found.push({kind: "sign", text: kAlike[sign] || sign, at});
        at += sign.length;
      }
    }
    return found;
  }

  const shown = (value) => (value === null ? "an undefined value" : isNode(value) ? "a composite value" : `'${value}'`);
  function truth(value) {
    if (typeof value !== "boolean") throw new Error(`${shown(value)} is neither true nor false`);
    return value;
  }
  function number(value) {
    if (typeof value === "number") return value;
    if (isNumber(value)) throw new Error(`${value} is too large to calculate with here`);
    throw new Error(`${shown(value)} is not a number`);
  }
  function divided(a, b, result) {
    if (b === 0) throw new Error("division by zero");
    return result;
  }
  // Large numbers are texts. An undefined value equals only another one.
  const isNumber = (value) => typeof value === "number" || (typeof value === "string" && /^-?\d+$/.test(value));
  const kindOf = (value) => (isNumber(value) ? "number" : isNode(value) ? value.kind : typeof value);
  function equal(a, b) {
    if (a === null || b === null) return a === b;
    if (kindOf(a) !== kindOf(b)) throw new Error(`${shown(a)} and ${shown(b)} are values of different kinds`);
    return isNumber(a) ? String(a) === String(b) : same(a, b);
  }
  const kArithmetic = {
    "+": (a, b) => a + b,
    "-": (a, b) => a - b,
    "*": (a, b) => a * b,
    "/": (a, b) => divided(a, b, Math.trunc(a / b)),
    "%": (a, b) => divided(a, b, a % b),
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
  };

  // A member of a node; `key` is a value or a name.
  function member(node, key, path) {
    if (!isNode(node)) throw new Error(`${path} has no members`);
    const place = node.keys.indexOf(String(key));
    if (place < 0) throw new Error(`${path} has no member '${key}'`);
    return node.values[place];
  }

  // A function from a state to a value for each expression of the grammar.
  class Reader {
    constructor(text, variables) {
      [this.tokens, this.next] = [tokens(text, variables), 0];
    }
    read() {
      const made = this.implication();
      if (this.next < this.tokens.length) throw new Error(`'${this.tokens[this.next].text}' is unexpected here`);
      return made;
    }
    accept(...signs) {
      const token = this.tokens[this.next];
      if (!token || token.kind !== "sign" || !signs.includes(token.text)) return null;
      ++this.next;
      return token.text;
    }
    expect(sign) {
      if (!this.accept(sign)) throw new Error(`'${sign}' is missing`);
    }
    implication() {
      const left = this.disjunction();
      if (!this.accept("->")) return left;
      const right = this.implication();
      return (state) => !truth(left(state)) || truth(right(state));
    }
    disjunction() {
      let left = this.conjunction();
      while (this.accept("|")) {
        const a = left, b = this.conjunction();
        left = (state) => truth(a(state)) || truth(b(state));
      }
      return left;
    }
    conjunction() {
      let left = this.negation();
      while (this.accept("&")) {
        const a = left, b = this.negation();
        left = (state) => truth(a(state)) && truth(b(state));
      }
      return left;
    }
    negation() {
      if (!this.accept("!")) return this.comparison();
      const of = this.negation();
      return (state) => !truth(of(state));
    }
    comparison() {
      const a = this.sum(), sign = this.accept("=", "!=", "<", "<=", ">", ">=");
      if (!sign) return a;
      const b = this.sum();
      if (sign === "=") return (state) => equal(a(state), b(state));
      if (sign === "!=") return (state) => !equal(a(state), b(state));
      return (state) => kArithmetic[sign](number(a(state)), number(b(state)));
    }
    sum() {
      return this.chain(["+", "-"], () => this.chain(["*", "/", "%"], () => this.unary()));
    }
    chain(signs, part) {
      let left = part();
      for (let sign = this.accept(...signs); sign; sign = this.accept(...signs)) {
        const a = left, b = part(), apply = kArithmetic[sign];
        left = (state) => apply(number(a(state)), number(b(state)));
      }
      return left;
    }
    unary() {
      if (this.accept("-")) {
        const of = this.unary();
        return (state) => -number(of(state));
      }
      if (this.accept("(")) {
        const inside = this.implication();
        this.expect(")");
        return inside;
      }
      const token = this.tokens[this.next];
      if (!token) throw new Error("the expression ends too early");
      if (token.kind === "sign") throw new Error(`'${token.text}' is unexpected here`);
      ++this.next;
      if (token.kind === "number") return this.literal(token.text);
      if (token.kind === "variable") return this.place(token.text);
      const constants = {true: true, false: false, Undefined: null};
      return () => (Object.hasOwn(constants, token.text) ? constants[token.text] : token.text);
    }
    literal(digits) {
      if (BigInt(digits) > 9223372036854775807n) throw new Error(`the number ${digits} is too large`);
      const value = Number(digits), exact = Number.isSafeInteger(value) ? value : String(BigInt(digits));
      return () => exact;
    }
    place(name) {
      let at = (state) => member(state, name, "the state"), path = name;
      for (;;) {
        const of = at, before = path;
        if (this.accept(".")) {
          const field = this.tokens[this.next++];
          if (!field || field.kind === "sign") throw new Error(`the name of a field is missing after ${before}.`);
          at = (state) => member(of(state), field.text, before);
          path = `${before}.${field.text}`;
          continue;
        }
        const open = this.accept("[", "{");
        if (!open) return at;
        const index = this.implication();
        this.expect(open === "[" ? "]" : "}");
        at = (state) => member(of(state), index(state), before);
        path = `${before}${open}...${open === "[" ? "]" : "}"}`;
      }
    }
  }

  // {text, at(state)}; throws an Error with a message for the user.
  function read(text, variables) {
    const evaluate = new Reader(text, variables).read();
    return {text, at: evaluate};
  }

  Object.assign(window.strata, {expression: {read}});
})();
