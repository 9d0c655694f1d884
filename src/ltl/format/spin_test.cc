// Compares our automata with those of `spin -f`, on random formulas and on formulas of the literature: they must accept
// the same random ultimately periodic words, and ours must not have more states.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>

#include "base/testing/test_count.h"
#include "ltl/automaton/word.h"
#include "ltl/format/read.h"
#include "ltl/testing/formats.h"
#include "ltl/testing/known_formulas.h"
#include "ltl/testing/random_formula.h"

namespace strata::ltl {
namespace {

bool has_spin() { return std::system("command -v spin >/dev/null 2>&1") == 0; }

// The number of random formulas; the long run has more than the usual ones.
constexpr uint64_t kUsual = 200;
uint64_t formulas() { return test_count("STRATA_FORMULAS", kUsual); }
bool long_run() { return formulas() > kUsual; }

// SPIN's automaton; nullopt if SPIN takes too long, which happens from ten operators on.
std::optional<Automaton> spin_automaton(const std::string& formula) {
  const std::string command =
      fmt::format("timeout {} spin -f '{}' 2>/dev/null", long_run() ? "10" : "0.3", formula);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) return std::nullopt;
  std::string text;
  char buffer[4096];
  for (size_t got; (got = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) text.append(buffer, got);
  if (text.find('}') == std::string::npos) return std::nullopt;
  const SourceFile file("spin", text);
  const Result<Automaton> automaton = read_never(file);
  EXPECT_TRUE(automaton.ok()) << formula << "\n" << automaton.status().message();
  if (!automaton.ok()) return std::nullopt;
  Automaton result = *automaton;
  renumber(result);
  return result;
}

// The letters of a word for an automaton that numbers its propositions differently: a is bit 0, b bit 1 ...
Word reordered(const Word& word, const Automaton& automaton) {
  Word result = word;
  for (uint64_t& letter : result.letters) {
    uint64_t bits = 0;
    for (size_t i = 0; i < automaton.propositions.size(); ++i) {
      bits |= (letter >> (automaton.propositions[i][0] - 'a') & 1) << i;
    }
    letter = bits;
  }
  return result;
}

struct Sizes {
  uint64_t formulas = 0, ours = 0, spins = 0, larger = 0;

  void add(const Automaton& our, const Automaton& spins_own) {
    ++formulas;
    ours += our.states.size();
    spins += spins_own.states.size();
    larger += our.states.size() > spins_own.states.size() ? 1 : 0;
  }
  void print(const char* what) const {
    std::cout << fmt::format("{}: {} formulas, {} states, spin {} states, larger than spin's: {}\n", what,
                             formulas, ours, spins, larger);
  }
};

void expect_same_language(const Automaton& ours, const Automaton& spins, Random& random,
                          uint32_t propositions, const std::string& formula) {
  for (int i = 0; i < 60; ++i) {
    const Word word = random_word(random, propositions);
    ASSERT_EQ(accepts(ours, reordered(word, ours)), accepts(spins, reordered(word, spins))) << formula;
  }
}

TEST(Spin, RandomFormulas) {
  if (!has_spin()) GTEST_SKIP() << "spin is not installed (Debian package spin)";
  const uint64_t count = formulas();
  Sizes sizes;
  for (uint64_t seed = 1; sizes.formulas < count && seed < 4 * count; ++seed) {
    Random random(seed);
    RandomFormulaOptions options;
    options.with_next = false;  // Debian's spin does not support X
    options.operators = static_cast<uint32_t>(1 + random.below(6));
    const TestFormula formula = TestFormula::random(random, options);
    const std::optional<Automaton> spins = spin_automaton(formula.spin_text());
    if (!spins) continue;
    const Automaton ours = automaton_of(formula.text());
    expect_same_language(ours, *spins, random, 3, fmt::format("seed {}: {}", seed, formula.text()));
    if (HasFatalFailure()) return;
    sizes.add(ours, *spins);
  }
  sizes.print("random");
  EXPECT_LE(sizes.ours, sizes.spins);
}

// Spin does not accept the weak until on its command line.
std::string without_weak_until(const std::string& formula) {
  FormulaPool pool;
  const SourceFile file("formula", formula);
  std::string text = pool.text(parse_property(file, pool)->formula);
  std::replace(text.begin(), text.end(), 'R', 'V');
  for (const auto& [from, to] : {std::pair{"G ", "[] "}, std::pair{"F ", "<> "}}) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += 3) text.replace(at, 2, to);
  }
  return text;
}

TEST(KnownFormulas, EveryWordIsAcceptedForAFormulaOrItsNegation) {
  const std::vector<std::string> formulas = known_formulas();
  EXPECT_EQ(formulas.size(), 100u);
  Random random(1);
  for (const std::string& formula : formulas) {
    const Automaton automaton = automaton_of(formula), complement = automaton_of("!(" + formula + ")");
    for (int i = 0; i < 60; ++i) {
      const Word word = random_word(random, 6);
      ASSERT_NE(accepts(automaton, reordered(word, automaton)),
                accepts(complement, reordered(word, complement)))
          << formula;
    }
  }
}

TEST(Spin, FormulasOfTheLiterature) {
  const std::vector<std::string> formulas = known_formulas();
  if (!has_spin()) GTEST_SKIP() << "spin is not installed (Debian package spin)";
  Sizes sizes;
  Random random(1);
  for (const std::string& formula : formulas) {
    const Automaton ours = automaton_of(formula);
    const std::optional<Automaton> spins =
        formula.find('X') == std::string::npos ? spin_automaton(without_weak_until(formula)) : std::nullopt;
    if (!spins) continue;
    expect_same_language(ours, *spins, random, 6, formula);
    sizes.add(ours, *spins);
    EXPECT_LE(ours.states.size(), spins->states.size()) << formula;
  }
  sizes.print("literature");
}

}  // namespace
}  // namespace strata::ltl
