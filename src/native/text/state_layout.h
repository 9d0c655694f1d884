// Where the parts of a state lie in its packed form (ir/layout.h has the grammar), and what they are called in the
// unpacked one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"

namespace strata::native {

struct StateLayout {
  // A scalar, or the count of a multiset.
  struct Leaf {
    std::string path;  // its text, with the State called `state`
    uint64_t offset = 0, width = 0;
    bool count = false;
    uint64_t capacity = 0;  // of the multiset
  };
  struct Variable {
    uint64_t offset = 0, width = 0;
    std::vector<Leaf> leaves;  // none when looped
  };

  uint64_t bytes = 1, words = 1;
  bool looped = false;  // the state is packed by loops instead of word by word
  bool wide = false;    // otherwise: by a function for each variable, so that the text stays small
  // Whether variables are unpacked one by one.
  bool by_variable() const { return wide || looped; }
  std::vector<Variable> variables;
};

StateLayout state_layout(const ir::Program& program);

// Word k of the packed state as far as it holds the given variables: their bits, and an expression for them.
struct PackedWord {
  std::string text = "0";
  uint64_t mask = 0;
};
PackedWord packed_word(const StateLayout& layout, uint64_t k, const std::vector<bool>& variables);

}  // namespace strata::native
