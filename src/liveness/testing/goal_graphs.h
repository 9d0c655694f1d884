// For tests of what every state can reach: random graphs with goals, and plain reachability to compare with.
#pragma once

#include <cstdint>
#include <optional>

#include "model/testing/random_graph.h"

namespace strata {

// Nothing fails; each goal holds in a few states. Some graphs have edges back to the start, so that goals can
// be reached.
Graph goal_graph(uint64_t seed, bool large = false);

// A ring of nodes with a goal at the start, which only the last one leads to.
Graph goal_ring(uint32_t nodes);

// A wide tree of few levels; from its leaves an edge leads back to the root, where the goal is.
Graph goal_tree(uint32_t nodes);

// The distance of the nearest state that cannot reach each goal; none: all can.
std::optional<uint64_t> nearest_violation(const Graph& graph);

}  // namespace strata
