// State graphs in the formats that other tools read (doc/graphs.md).
//
//   dot      Graphviz: to be drawn
//   json     one object with all that is known
//   graphml  networkx, yEd, Gephi
//   aut      Aldebaran, for CADP, mCRL2 and LTSmin: edges with their labels alone
#pragma once

#include <optional>
#include <string>

#include "report/graph/state_graph.h"
#include "report/text_sink.h"

namespace strata {

enum class GraphFormat { dot, json, graphml, aut };

// By the end of the file's name: .dot or .gv, .json, .graphml, .aut.
std::optional<GraphFormat> graph_format(const std::string& path);

void write_graph(const StateGraph& graph, GraphFormat format, const TextSink& sink);

}  // namespace strata
