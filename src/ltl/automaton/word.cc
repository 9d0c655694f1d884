#include "ltl/automaton/word.h"

namespace strata::ltl {

Word random_word(Random& random, uint32_t propositions) {
  Word word;
  const uint64_t length = 1 + random.below(8);
  for (uint64_t i = 0; i < length; ++i) {
    // Letters often repeat, so that temporal operators have something to wait for.
    const bool repeat = i > 0 && random.chance(40);
    word.letters.push_back(repeat ? word.letters.back() : random.below(uint64_t{1} << propositions));
  }
  word.loop = static_cast<uint32_t>(random.below(length));
  return word;
}

bool accepts(const Automaton& automaton, const Word& word) {
  // The product: its accepting runs are the accepting runs of the automaton on the word.
  const uint32_t n = static_cast<uint32_t>(word.letters.size());
  Automaton product;
  product.sets = automaton.sets;
  product.initial = automaton.initial * n;
  product.states.resize(automaton.states.size() * n);
  for (uint32_t state = 0; state < automaton.states.size(); ++state) {
    for (uint32_t i = 0; i < n; ++i) {
      for (const Edge& edge : automaton.states[state]) {
        if (!edge.label.matches(word.letters[i])) continue;
        product.states[state * n + i].push_back({{}, edge.target * n + word.after(i), edge.marks});
      }
    }
  }
  remove_useless(product);
  return !product.states[product.initial].empty();
}

}  // namespace strata::ltl
