// Text -> automata: the Hanoi Omega-Automata format, version 1, with Büchi or generalized Büchi acceptance on
// states or edges, and SPIN's never claims.
#pragma once

#include "base/source.h"
#include "base/status.h"
#include "ltl/automaton/automaton.h"

namespace strata::ltl {

// Recognises the format. The first error is a Status of code `model` with line and caret.
Result<Automaton> read_automaton(const SourceFile& file);

Result<Automaton> read_hoa(const SourceFile& file);
Result<Automaton> read_never(const SourceFile& file);

// Prepares an automaton for the searches: state-based, one set, without useless states, reduced.
Automaton prepare(Automaton automaton);

}  // namespace strata::ltl
