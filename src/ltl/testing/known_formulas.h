// 100 formulas of the kinds that papers on LTL translation measure, in our spelling, for tests:
//
// - the property patterns of Dwyer, Avrunin and Corbett (ICSE 1999), for five scopes each;
// - formulas modelled on the lists of Etessami and Holzmann (CONCUR 2000) and of Somenzi and Bloem (CAV 2000), and
//   some of our own. They are not copies of these lists, so their sums cannot be compared with the papers'.
//
// They use [] <> U W V and boolean operators on a to f, and X only in formulas about X.
#pragma once

#include <string>
#include <vector>

namespace strata::ltl {

inline std::vector<std::string> dwyer_patterns() {
  return {
      // absence of a: globally, before d, after c, between c and d, after c until d
      "[]!a",
      "<>d -> (!a U d)",
      "[](c -> []!a)",
      "[]((c && !d && <>d) -> (!a U d))",
      "[]((c && !d) -> (!a W d))",
      // existence of a
      "<>a",
      "!d W (a && !d)",
      "[]!c || <>(c && <>a)",
      "[]((c && !d) -> (!d W (a && !d)))",
      "[]((c && !d) -> (!d U (a && !d)))",
      // a at most twice
      "!a W (a W (!a W (a W []!a)))",
      "<>d -> ((!a && !d) U (d || ((a && !d) U (d || ((!a && !d) U (d || ((a && !d) U (d || (!a U d)))))))))",
      "<>c -> (!c U (c && (!a W (a W (!a W (a W []!a))))))",
      "[]((c && <>d) -> ((!a && !d) U (d || ((a && !d) U (d || ((!a && !d) U (d || ((a && !d) U (d || (!a U "
      "d))))))))))",
      "[](c -> ((!a && !d) U (d || ((a && !d) U (d || ((!a && !d) U (d || ((a && !d) U (d || (!a W d) || "
      "[]a)))))))))",
      // universality of a
      "[]a",
      "<>d -> (a U d)",
      "[](c -> []a)",
      "[]((c && !d && <>d) -> (a U d))",
      "[]((c && !d) -> (a W d))",
      // b precedes a
      "!a W b",
      "<>d -> (!a U (b || d))",
      "[]!c || <>(c && (!a W b))",
      "[]((c && !d && <>d) -> (!a U (b || d)))",
      "[]((c && !d) -> (!a W (b || d)))",
      // b responds to a
      "[](a -> <>b)",
      "<>d -> (a -> (!d U (b && !d))) U d",
      "[](c -> [](a -> <>b))",
      "[]((c && !d && <>d) -> ((a -> (!d U (b && !d))) U d))",
      "[]((c && !d) -> ((a -> (!d U (b && !d))) W d))",
      // b, e precede a
      "<>a -> (!a U (b && !a && (!a U e)))",
      "<>d -> (!a U (d || (b && !a && (!a U e))))",
      "([]!c) || (!c U (c && (<>a -> (!a U (b && !a && (!a U e))))))",
      "[]((c && <>d) -> (!a U (d || (b && !a && (!a U e)))))",
      "[](c -> (<>a -> (!a U (d || (b && !a && (!a U e))))))",
      // a precedes b, e
      "(<>(b && <>e)) -> ((!b) U a)",
      "<>d -> ((!(b && (!d) && (!d U (e && !d)))) U (d || a))",
      "([]!c) || ((!c) U (c && ((<>(b && <>e)) -> ((!b) U a))))",
      "[]((c && <>d) -> ((!(b && (!d) && (!d U (e && !d)))) U (d || a)))",
      "[](c -> ((!(b && (!d) && (!d U (e && !d)))) U (d || a) || [](!(b && <>e))))",
      // a responds to b, e
      "[]((b && <>e) -> (<>(e && <>a)))",
      "<>d -> (b && (!d U e) -> (!d U (e && <>a))) U d",
      "[](c -> []((b && <>e) -> (<>(e && <>a))))",
      "[]((c && <>d) -> ((b && (!d U e)) -> (!d U (e && <>a))) U d)",
      "[](c -> ((b && (!d U e)) -> (!d U (e && <>a))) U (d || []((b && (!d U e)) -> (!d U (e && <>a)))))",
      // b, e respond to a
      "[](a -> <>(b && <>e))",
      "<>d -> (a -> (!d U (b && !d && (!d U e)))) U d",
      "[](c -> [](a -> (b && <>e)))",
      "[]((c && <>d) -> (a -> (!d U (b && !d && (!d U e)))) U d)",
      "[](c -> (a -> (!d U (b && !d && (!d U e)))) U (d || [](a -> (b && <>e))))",
      // b, e without f respond to a
      "[](a -> <>(b && !f && (!f U e)))",
      "<>d -> (a -> (!d U (b && !d && !f && ((!d && !f) U e)))) U d",
      "[](c -> [](a -> (b && !f && (!f U e))))",
      "[]((c && <>d) -> (a -> (!d U (b && !d && !f && ((!d && !f) U e)))) U d)",
      "[](c -> (a -> (!d U (b && !d && !f && ((!d && !f) U e)))) U (d || [](a -> (b && !f && (!f U e)))))",
  };
}

inline std::vector<std::string> etessami_holzmann() {
  return {
      "a U (b && []c)",
      "a U (b && X (c U d))",
      "a U (b && X (c && (<>(d && X (<>(e && X (<>(f && X <>b))))))))",
      "<>(a && X []b)",
      "<>(a && X (b && X <>c))",
      "<>(b && X (a U c))",
      "(<>[]a) || ([]<>b)",
      "[](a -> (b U c))",
      "[](a && X <>(b && X <>(c && X <>d)))",
      "([]<>a) && ([]<>b) && ([]<>c) && ([]<>d) && ([]<>e)",
      "(a U (b U c)) || (b U (c U a)) || (c U (a U b))",
      "[](a -> (b U ([]c || []d)))",
  };
}

inline std::vector<std::string> somenzi_bloem() {
  return {
      "a U b",
      "a U (b U c)",
      "!(a U (b U c))",
      "([]<>a) -> ([]<>b)",
      "(<>a) U ([]b)",
      "([]a) U b",
      "!((<><>a) <-> (<>b))",
      "!(([]<>a) -> ([]<>b))",
      "!(([]<>a) <-> ([]<>b))",
      "(a && b) || !a",
      "(a V (b || c)) && (a V (b || d))",
      "((!a && b) V (a && c)) V (!c U (!b && a))",
      "(X a && X b) -> (X c && <>d)",
      "[](a -> <>b)",
      "!([](a -> <>b))",
      "<>(a && !<>b)",
      "[](a || X []b) && [](c || X []!b)",
      "[](a || (X []b && X []!c))",
      "[]a || <>b || ([]c && <>d)",
      "[](a || <>[]b) && [](c || <>[]!b)",
      "(<>(!a && X !b)) && (<>(c && X d))",
      "([](a || []<>b) && [](c || []<>!b)) || []a || []c",
      "([](a || <>[]b) && [](c || <>[]!b)) || []a || []c",
      "!(([](a || []<>b) && [](c || []<>!b)) || []a || []c)",
      "[](a -> <>(b && c))",
      "a U (b && (c U d))",
      "[]a && <>b && []<>c",
      "(a V b) || (b V a)",
      "([]<>a && []<>b) -> []<>c",
      "!(([]<>a && []<>b) -> []<>c)",
      "[]<>a || []<>b || []<>c",
      "<>[]a && <>[]b && <>[]c",
      "([]<>a -> []<>b) && ([]<>c -> []<>d)",
  };
}

inline std::vector<std::string> known_formulas() {
  std::vector<std::string> all = dwyer_patterns();
  for (const auto& more : {etessami_holzmann(), somenzi_bloem()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace strata::ltl
