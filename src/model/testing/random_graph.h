// Seeded random graphs of many shapes, for differential tests.
#pragma once

#include <cstdint>

#include "model/testing/explicit_graph.h"

namespace strata {

// The same seed gives the same graph everywhere. The seed also chooses the shape (long, wide, dense, random, tree
// with back edges), the size (1 to about 3000 nodes), the width of the states and which kinds of failures occur.
Graph random_graph(uint64_t seed);

// The same with 2,000 to 12,000 nodes, and failures in one graph of four: larger than a small memory budget.
Graph large_random_graph(uint64_t seed);

}  // namespace strata
