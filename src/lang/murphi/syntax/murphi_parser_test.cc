// The syntax tree of each construct, dumped as S-expressions.
#include "lang/murphi/syntax/murphi_parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strata::murphi {
namespace {

std::string dump(const TypeExpr& type);
std::string dump(const Block& block);

std::string dump(const ExprPtr& expr);

std::string dump(const Quantifier& q) {
  if (q.type) return fmt::format("({} {})", q.name, dump(*q.type));
  if (!q.from) return fmt::format("({})", q.name);
  if (!q.to) return fmt::format("({} in {})", q.name, dump(q.from));
  return fmt::format("({} {} {}{})", q.name, dump(q.from), dump(q.to), q.by ? " " + dump(q.by) : "");
}

std::string dump_all(const std::vector<ExprPtr>& exprs) {
  std::string out;
  for (const ExprPtr& expr : exprs) out += " " + dump(expr);
  return out;
}

std::string dump(const ExprPtr& expr) {
  const std::string args = dump_all(expr->args);
  const std::string bound = expr->quantifier ? " " + dump(*expr->quantifier) : "";
  switch (expr->kind) {
    case Expr::Kind::number: return std::to_string(expr->value);
    case Expr::Kind::boolean: return expr->value ? "#t" : "#f";
    case Expr::Kind::name: return expr->text;
    case Expr::Kind::field: return fmt::format("(.{}{})", expr->text, args);
    case Expr::Kind::index: return fmt::format("([]{})", args);
    case Expr::Kind::call: return fmt::format("({}(){})", expr->text, args);
    case Expr::Kind::unary:
    case Expr::Kind::binary: return fmt::format("({}{})", expr->op, args);
    case Expr::Kind::conditional: return fmt::format("(?{})", args);
    case Expr::Kind::for_all: return fmt::format("(forall{}{})", bound, args);
    case Expr::Kind::exists: return fmt::format("(exists{}{})", bound, args);
    case Expr::Kind::is_undefined: return fmt::format("(isundefined{})", args);
    case Expr::Kind::is_member: return fmt::format("(ismember{} {})", args, dump(*expr->type));
    case Expr::Kind::multiset_count: return fmt::format("(count{}{})", bound, args);
  }
  return "?";
}

std::string dump(const TypeExpr& type) {
  std::string parts;
  switch (type.kind) {
    case TypeExpr::Kind::name: return type.text;
    case TypeExpr::Kind::range: return fmt::format("(.. {} {})", dump(type.low), dump(type.high));
    case TypeExpr::Kind::enumerated:
      for (const auto& member : type.members) parts += " " + member.first;
      return fmt::format("(enum{})", parts);
    case TypeExpr::Kind::scalarset: return fmt::format("(scalarset {})", dump(type.low));
    case TypeExpr::Kind::union_of:
      for (const TypePtr& part : type.parts) parts += " " + dump(*part);
      return fmt::format("(union{})", parts);
    case TypeExpr::Kind::array: return fmt::format("(array {} {})", dump(*type.index), dump(*type.element));
    case TypeExpr::Kind::record:
      for (const FieldDecl& field : type.fields)
        parts += fmt::format(" ({} {})", field.name, dump(*field.type));
      return fmt::format("(record{})", parts);
    case TypeExpr::Kind::multiset:
      return fmt::format("(multiset {} {})", dump(type.low), dump(*type.element));
    case TypeExpr::Kind::real: return fmt::format("(real {} {})", dump(type.low), dump(type.high));
  }
  return "?";
}

constexpr const char* kPropertyNames[] = {"invariant", "assert", "assume", "cover", "liveness"};

std::string dump(const std::vector<AliasDecl>& aliases) {
  std::string out;
  for (const AliasDecl& alias : aliases) out += fmt::format(" ({} {})", alias.name, dump(alias.value));
  return out;
}

std::string dump(const Stmt& stmt) {
  const std::string args = dump_all(stmt.args);
  const std::string message = stmt.text.empty() ? "" : " \"" + stmt.text + "\"";
  const std::string bound = stmt.quantifier ? " " + dump(*stmt.quantifier) : "";
  std::string parts;
  switch (stmt.kind) {
    case Stmt::Kind::assign: return fmt::format("(:={})", args);
    case Stmt::Kind::if_then:
      for (const Branch& branch : stmt.branches) {
        parts +=
            fmt::format(" ({}{})", branch.condition ? dump(branch.condition) : "else", dump(branch.block));
      }
      return fmt::format("(if{})", parts);
    case Stmt::Kind::switch_on:
      for (const SwitchCase& one : stmt.cases) {
        parts += fmt::format(" ({}{})", one.values.empty() ? "else" : "case" + dump_all(one.values),
                             dump(one.block));
      }
      return fmt::format("(switch{}{})", args, parts);
    case Stmt::Kind::for_loop: return fmt::format("(for{}{})", bound, dump(stmt.body));
    case Stmt::Kind::while_loop: return fmt::format("(while{}{})", args, dump(stmt.body));
    case Stmt::Kind::alias: return fmt::format("(alias{}{})", dump(stmt.aliases), dump(stmt.body));
    case Stmt::Kind::clear: return fmt::format("(clear{})", args);
    case Stmt::Kind::undefine: return fmt::format("(undefine{})", args);
    case Stmt::Kind::put: return fmt::format("(put{}{})", args, message);
    case Stmt::Kind::return_: return fmt::format("(return{})", args);
    case Stmt::Kind::error: return fmt::format("(error{})", message);
    case Stmt::Kind::property:
      return fmt::format("({}{}{})", kPropertyNames[static_cast<int>(stmt.property)], args, message);
    case Stmt::Kind::call: return fmt::format("({}(){})", stmt.text, args);
    case Stmt::Kind::multiset_add: return fmt::format("(add{})", args);
    case Stmt::Kind::multiset_remove: return fmt::format("(remove{})", args);
    case Stmt::Kind::multiset_remove_pred: return fmt::format("(removepred{}{})", bound, args);
  }
  return "?";
}

std::string dump(const Block& block) {
  std::string out;
  for (const Stmt& stmt : block) out += " " + dump(stmt);
  return out;
}

std::string dump(const Decl& decl) {
  switch (decl.kind) {
    case Decl::Kind::constant:
      return fmt::format("(const {} {})", decl.constant.name, dump(decl.constant.value));
    case Decl::Kind::type: return fmt::format("(type {} {})", decl.type.name, dump(*decl.type.type));
    case Decl::Kind::variable:
      return fmt::format("(var {} {})", decl.variable.name, dump(*decl.variable.type));
  }
  return "?";
}

std::string dump(const std::vector<Decl>& decls) {
  std::string out;
  for (const Decl& decl : decls) out += " " + dump(decl);
  return out;
}

std::string dump(const Item& item) {
  static constexpr const char* kNames[] = {"start", "rule", "", "ruleset", "alias", "choose"};
  std::string out = item.kind == Item::Kind::property ? kPropertyNames[static_cast<int>(item.property)]
                                                      : kNames[static_cast<int>(item.kind)];
  if (item.priority) out += fmt::format(" priority={}", *item.priority);
  if (item.has_name) out += " \"" + item.name + "\"";
  for (const Quantifier& quantifier : item.quantifiers) out += " " + dump(quantifier);
  out += dump(item.aliases);
  if (item.guard) out += " " + dump(item.guard);
  out += dump(item.decls) + dump(item.body);
  for (const Item& inner : item.items) out += " " + dump(inner);
  return "(" + out + ")";
}

std::string dump(const Function& function) {
  std::string out = "(function " + function.name;
  for (const Parameter& p : function.parameters) {
    out += fmt::format(" ({}{} {})", p.by_reference ? "var " : "", p.name, dump(*p.type));
  }
  if (function.result) out += " : " + dump(*function.result);
  return out + dump(function.decls) + dump(function.body) + ")";
}

std::string model(const std::string& text) {
  const SourceFile file("m", text);
  Diagnostics diagnostics(file);
  const Model model = parse_model(file, diagnostics);
  EXPECT_EQ(diagnostics.render(), "") << text;
  std::string out;
  for (const TopLevel& part : model.parts) {
    if (!out.empty()) out += ' ';
    out += part.kind == TopLevel::Kind::decl       ? dump(part.decl)
           : part.kind == TopLevel::Kind::function ? dump(part.function)
                                                   : dump(part.item);
  }
  return out;
}

std::string expr(const std::string& text) {
  const SourceFile file("e", text);
  Diagnostics diagnostics(file);
  const ExprPtr expr = parse_expression(file, diagnostics);
  EXPECT_EQ(diagnostics.render(), "") << text;
  return dump(expr);
}

// Statements in a start state.
std::string stmts(const std::string& text) {
  const std::string out = model("startstate begin " + text + " end;");
  return out.starts_with("(start ") ? out.substr(7, out.size() - 8) : out;
}

TEST(ParserExpressions, Precedence) {
  EXPECT_EQ(expr("a + b * c - d"), "(- (+ a (* b c)) d)");
  EXPECT_EQ(expr("a | b & c = d + 1"), "(| a (& b (= c (+ d 1))))");
  EXPECT_EQ(expr("a -> b || c && d | e ^ f & g"), "(-> a (|| b (&& c (| d (^ e (& f g))))))");
  EXPECT_EQ(expr("a & b | c & d"), "(| (& a b) (& c d))");
  EXPECT_EQ(expr("a < b << c + d"), "(< a (<< b (+ c d)))");
  EXPECT_EQ(expr("a ? b : c -> d"), "(? a b (-> c d))");
  EXPECT_EQ(expr("a ? b : c ? d : e"), "(? a b (? c d e))");
  EXPECT_EQ(expr("a / b / c % d"), "(% (/ (/ a b) c) d)");
  EXPECT_EQ(expr("(a + b) * c"), "(* (+ a b) c)");
}

TEST(ParserExpressions, PrefixOperators) {
  EXPECT_EQ(expr("!a = b & c"), "(& (! (= a b)) c)");
  EXPECT_EQ(expr("a * !b = c"), "(* a (! (= b c)))");
  EXPECT_EQ(expr("-a * b + c"), "(+ (* (- a) b) c)");
  EXPECT_EQ(expr("a - -b"), "(- a (- b))");
  EXPECT_EQ(expr("~a << 1"), "(<< (~ a) 1)");
  EXPECT_EQ(expr("!!a | +b"), "(| (! (! a)) (+ b))");
  EXPECT_EQ(expr("-9223372036854775808"), "-9223372036854775808");
}

TEST(ParserExpressions, OtherSpellings) {
  EXPECT_EQ(expr("a == b ∧ c ≠ d ∨ ¬e → f ≤ g"), "(-> (|| (&& (= a b) (!= c d)) (! e)) (<= f g))");
  EXPECT_EQ(expr("a × b ÷ c − d ∕ e"), "(- (/ (* a b) c) (/ d e))");
  EXPECT_EQ(expr("∀ i: T do ∃ j := 0 to 3 do TRUE end endforall"), "(forall (i T) (exists (j 0 3) #t))");
}

TEST(ParserExpressions, Primaries) {
  EXPECT_EQ(expr("a.b[c + 1].d[e][f]"), "([] ([] (.d ([] (.b a) (+ c 1))) e) f)");
  EXPECT_EQ(expr("f() + g(a, b + 1,)"), "(+ (f()) (g() a (+ b 1)))");
  EXPECT_EQ(expr("isundefined(a[1]) & ismember(b, 0..3)"),
            "(& (isundefined ([] a 1)) (ismember b (.. 0 3)))");
  EXPECT_EQ(expr("MultiSetCount(i: net[n], net[n][i].dst = p)"),
            "(count (i) ([] net n) (= (.dst ([] ([] net n) i)) p))");
  EXPECT_EQ(expr("exists i := 0 to 8 by 2 : a[i] endexists"), "(exists (i 0 8 2) ([] a i))");
  EXPECT_EQ(expr("forall i: T; j: U do a end"), "(forall (i T) (forall (j U) a))");
  EXPECT_EQ(expr("f(UNDEFINED)"), "(f() undefined)");
}

TEST(ParserExpressions, LongRunsAreBalancedAndOrdered) {
  std::string text = "x0";
  for (int i = 1; i < 100000; ++i) text += " & x" + std::to_string(i);
  const SourceFile file("e", text);
  Diagnostics diagnostics(file);
  const ExprPtr root = parse_expression(file, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  EXPECT_LT(root->height, 100u);
  EXPECT_EQ(root->source.size(), 203u);
  std::vector<const Expr*> stack = {root.get()};
  int next = 0;
  while (!stack.empty()) {
    const Expr* top = stack.back();
    stack.pop_back();
    if (top->args.empty()) {
      ASSERT_EQ(top->text, "x" + std::to_string(next++));
    } else {
      stack.push_back(top->args[1].get());
      stack.push_back(top->args[0].get());
    }
  }
  EXPECT_EQ(next, 100000);
}

TEST(ParserExpressions, PositionsAndSources) {
  const SourceFile file("e", "(a +  -- why\n   b) *f( c )");
  Diagnostics diagnostics(file);
  const ExprPtr product = parse_expression(file, diagnostics);
  EXPECT_EQ(product->position, (SourcePosition{2, 7}));
  EXPECT_EQ(product->start, (SourcePosition{1, 1}));
  EXPECT_EQ(product->source, "(a + b) *f( c )");
  const Expr& sum = *product->args[0];
  EXPECT_EQ(sum.position, (SourcePosition{1, 4}));
  EXPECT_EQ(sum.start, (SourcePosition{1, 1}));
  EXPECT_EQ(sum.source, "(a + b)");
  EXPECT_EQ(sum.args[1]->position, (SourcePosition{2, 4}));
  EXPECT_EQ(product->args[1]->position, (SourcePosition{2, 8}));
  EXPECT_EQ(product->args[1]->source, "f( c )");
}

TEST(ParserDeclarations, Sections) {
  EXPECT_EQ(model("const N: 3; M: N + 1; type T: 0..N; var x, y: T; z: boolean;"),
            "(const N 3) (const M (+ N 1)) (type T (.. 0 N)) (var x T) (var y T) (var z boolean)");
  EXPECT_EQ(model("const a, b,: 5 c: 6 var x: BOOLEAN type T: boolean;;"),
            "(const a 5) (const b 5) (const c 6) (var x boolean) (type T boolean)");
  EXPECT_EQ(model("const type var"), "");
}

TEST(ParserDeclarations, Types) {
  EXPECT_EQ(model("type E: enum { a, b, }; S: scalarset(N); U: union { S, enum { c } };"),
            "(type E (enum a b)) (type S (scalarset N)) (type U (union S (enum c)))");
  EXPECT_EQ(model("type A: array [0..-1 + N] of array [S] of boolean;"),
            "(type A (array (.. 0 (+ (- 1) N)) (array S boolean)))");
  EXPECT_EQ(model("type R: record a, b: T; c: record end endrecord; M: multiset [N] of R;"),
            "(type R (record (a T) (b T) (c (record)))) (type M (multiset N R))");
  EXPECT_EQ(model("var r: record interleaved interleaved: T end; a: array interleaved [T] of real(3, 4)"),
            "(var r (record (interleaved T))) (var a (array T (real 3 4)))");
}

TEST(ParserDeclarations, Functions) {
  EXPECT_EQ(model("procedure p(); begin end; function f(a, b: T; var c: U): V; var x: T; begin return x; "
                  "endfunction;"),
            "(function p) (function f (a T) (b T) (var c U) : V (var x T) (return x))");
  EXPECT_EQ(model("procedure p(a: T, var b: U) x := a; endprocedure"),
            "(function p (a T) (var b U) (:= x a))");
  EXPECT_EQ(model("function f(a: T): T const k: 1 var y: T y := k; return y end"),
            "(function f (a T) : T (const k 1) (var y T) (:= y k) (return y))");
}

TEST(ParserItems, Rules) {
  EXPECT_EQ(model("rule \"a\" x = 1 ==> var y: T; begin x := 2 endrule;"),
            "(rule \"a\" (= x 1) (var y T) (:= x 2))");
  EXPECT_EQ(model("rule begin end rule x[1].y := 2; z := 3; end; rule f(x) ==> end"),
            "(rule) (rule (:= (.y ([] x 1)) 2) (:= z 3)) (rule (f() x))");
  EXPECT_EQ(model("rule f(x); end rule if a then b := 1 end end"), "(rule (f() x)) (rule (if (a (:= b 1))))");
  EXPECT_EQ(model("startstate \"s\" x := 1 endstartstate; startstate var y: T; begin clear x end;"),
            "(start \"s\" (:= x 1)) (start (var y T) (clear x))");
}

TEST(ParserItems, Priorities) {
  EXPECT_EQ(model("rule 5 \"a\" x = 1 ==> end; rule \"a\" 7 x ==> end; rule 3 begin end;"),
            "(rule priority=5 \"a\" (= x 1)) (rule priority=7 \"a\" x) (rule priority=3)");
  EXPECT_EQ(model("rule 1 = x ==> end; rule 4 (1 + x = 2) ==> end; rule 2 3 < x ==> end"),
            "(rule (= 1 x)) (rule priority=4 (= (+ 1 x) 2)) (rule priority=2 (< 3 x))");
  EXPECT_EQ(model("type priority: 0..3; rule 5 priority = 1 ==> end;"),
            "(type priority (.. 0 3)) (rule priority=5 (= priority 1))");
}

TEST(ParserItems, Properties) {
  EXPECT_EQ(model("invariant \"a\" x; assert y \"b\"; assume z cover \"c\" x; liveness w;"),
            "(invariant \"a\" x) (assert \"b\" y) (assume z) (cover \"c\" x) (liveness w)");
}

TEST(ParserItems, Groups) {
  EXPECT_EQ(model("ruleset i: T; j := 0 to 3 do rule begin end; invariant x; endruleset;"),
            "(ruleset (i T) (j 0 3) (rule) (invariant x))");
  EXPECT_EQ(model("alias a: x[1]; b, c: y do startstate begin end end"),
            "(alias (a ([] x 1)) (b y) (c y) (start))");
  EXPECT_EQ(
      model("alias a: x, b: y do ruleset i: T do choose m: net[i] do rule m ==> end; endchoose end end"),
      "(alias (a x) (b y) (ruleset (i T) (choose (m in ([] net i)) (rule m))))");
}

TEST(ParserStatements, Simple) {
  EXPECT_EQ(stmts("x := 1;; y.z[2] := x = 1; p(); q(x, 1,);"),
            "(:= x 1) (:= ([] (.z y) 2) (= x 1)) (p()) (q() x 1)");
  EXPECT_EQ(stmts("clear a.b; undefine c[1]; d := UNDEFINED; return; return x + 1; error \"no\""),
            "(clear (.b a)) (undefine ([] c 1)) (undefine d) (return) (return (+ x 1)) (error \"no\")");
  EXPECT_EQ(stmts("put \"a\\n\"; put x; assert x \"m\"; assert \"m\" x; assume x; cover (x); liveness x; "
                  "invariant x"),
            "(put \"a\n\") (put x) (assert x \"m\") (assert x \"m\") (assume x) (cover x) (liveness x) "
            "(invariant x)");
  EXPECT_EQ(stmts("MultisetAdd(m, net); MULTISETREMOVE(i, net[1]); multisetremovepred(i: net, true)"),
            "(add m net) (remove i ([] net 1)) (removepred (i) net #t)");
}

TEST(ParserStatements, Blocks) {
  EXPECT_EQ(stmts("if a then b := 1; elsif c then else d := 2 endif"),
            "(if (a (:= b 1)) (c) (else (:= d 2)))");
  EXPECT_EQ(stmts("switch x case 1, 2: a := 1; case E: else b := 2; endswitch"),
            "(switch x (case 1 2 (:= a 1)) (case E) (else (:= b 2)))");
  EXPECT_EQ(stmts("for i: T do x[i] := 0 end; for i := 3 to 0 by -1 : p() endfor; for i: T; j: 0..1 do end"),
            "(for (i T) (:= ([] x i) 0)) (for (i 3 0 (- 1)) (p())) (for (i T) (for (j (.. 0 1))))");
  EXPECT_EQ(stmts("while a do b := 1 endwhile; alias c: d.e; f: g do c := f endalias"),
            "(while a (:= b 1)) (alias (c (.e d)) (f g) (:= c f))");
}

// CMurphi reserves words that Rumur does not, and vice versa.
TEST(ParserNames, SoftWordsCanBeNames) {
  EXPECT_EQ(model("var cover, choose: T; type multiset: 0..1; rule cover = 1 ==> begin cover := choose; end"),
            "(var cover T) (var choose T) (type multiset (.. 0 1)) (rule (= cover 1) (:= cover choose))");
  EXPECT_EQ(
      model(
          "type E: enum { undefined, assume }; rule begin x := undefined; y := Undefined; r.cover := 1 end"),
      "(type E (enum undefined assume)) (rule (:= x undefined) (undefine y) (:= (.cover r) 1))");
  EXPECT_EQ(model("procedure MultisetAdd(x: T); begin end; rule begin MultisetAdd(1); multisetadd(a, b) end"),
            "(function MultisetAdd (x T)) (rule (MultisetAdd() 1) (add a b))");
  EXPECT_EQ(model("var x: multiset; y: T cover x = y assume y"),
            "(var x multiset) (var y T) (cover (= x y)) (assume y)");
}

}  // namespace
}  // namespace strata::murphi
