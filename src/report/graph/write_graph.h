// State graphs in the formats that other tools read (doc/graphs.md).
//
//   dot      Graphviz, for drawing
//   json     one object with everything that is known
//   graphml  networkx, yEd, Gephi
//   aut      Aldebaran, for CADP, mCRL2 and LTSmin: only edges and their labels
#pragma once

#include <optional>
#include <string>

#include "report/graph/state_graph.h"
#include "report/text_sink.h"

namespace strata {

enum class GraphFormat { dot, json, graphml, aut };

// The format for a file name: .dot or .gv, .json, .graphml, .aut.
std::optional<GraphFormat> graph_format(const std::string& path);

void write_graph(const StateGraph& graph, GraphFormat format, const TextSink& sink);

}  // namespace strata
