// The tokens of the Hanoi Omega-Automata format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"

namespace strata::ltl {

struct HoaToken {
  enum class Kind : uint8_t {
    end,
    integer,
    word,    // also t, f, Inf, Fin
    header,  // without its colon
    alias,   // with its @
    string,  // without its quotes
    mark,    // --BODY--, --END--, --ABORT--
    symbol,  // ! & | ( ) [ ] { }
  };
  Kind kind = Kind::end;
  std::string text;
  uint64_t value = 0;  // integer
  size_t offset = 0;
};

// All tokens; the last one is `end`. The first error is reported and ends the list.
std::vector<HoaToken> tokenize_hoa(const SourceFile& file, Diagnostics& diagnostics);

}  // namespace strata::ltl
