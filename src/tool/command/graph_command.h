// `strata graph MODEL -o FILE`: the states of a model and the rules between them, for Graphviz and other
// tools (doc/graphs.md).
#pragma once

#include "options/options.h"

namespace strata {

int graph_command(const Options& options);

}  // namespace strata
