#include "report/graph/write_graph.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace strata {
namespace {

// Two initial states. One has an edge to the other, which fails and has a self-loop.
StateGraph small() {
  StateGraph graph;
  graph.version = "1.2.3";
  graph.model = "m.m";
  graph.states.resize(2);
  graph.states[0].initial = graph.states[1].initial = true;
  graph.states[0].label = "x:\"0\"\ny:<1>";
  graph.states[0].cut = true;
  graph.states[1].accepting = true;
  graph.states[1].errors = {"Invariant \"x\" failed."};
  graph.edges = {{0, 1, "go, p:\"1\"", false}, {1, 1, "stay", false}};
  return graph;
}

std::string text_of(const StateGraph& graph, GraphFormat format) {
  return gather_text([&](const TextSink& sink) { write_graph(graph, format, sink); });
}

TEST(WriteGraph, TheNameOfTheFileSaysTheFormat) {
  EXPECT_EQ(graph_format("a/b.dot"), GraphFormat::dot);
  EXPECT_EQ(graph_format("b.gv"), GraphFormat::dot);
  EXPECT_EQ(graph_format("b.json"), GraphFormat::json);
  EXPECT_EQ(graph_format("b.graphml"), GraphFormat::graphml);
  EXPECT_EQ(graph_format("b.aut"), GraphFormat::aut);
  EXPECT_EQ(graph_format("b.svg"), std::nullopt);
}

TEST(WriteGraph, Dot) {
  StateGraph graph = small();
  graph.note = "cut";
  EXPECT_EQ(text_of(graph, GraphFormat::dot), R"(// m.m, by Strata 1.2.3
digraph states {
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=11];
  label="cut";
  s0 [label="0\nx:\"0\"\ly:<1>\l", style="dashed,rounded"];
  s1 [label="1", peripheries=2, color="#d55e00", penwidth=2, tooltip="Invariant \"x\" failed."];
  start0 [shape=point, style=filled, label=""];
  start0 -> s0;
  start1 [shape=point, style=filled, label=""];
  start1 -> s1;
  s0 -> s1 [label="go, p:\"1\""];
  s1 -> s1 [label="stay"];
}
)");
}

// A picture has one edge for a rule between two states, whatever its parameters; the other formats have all.
TEST(WriteGraph, DotJoinsTheEdgesOfOneRule) {
  StateGraph graph = small();
  graph.edges.clear();
  for (const char* parameters : {", p:1, v:1", ", p:1, v:2"})
    graph.edges.push_back({0, 1, std::string("go") + parameters, parameters[9] == '2', parameters});
  graph.edges.push_back({0, 1, "stop", false});
  for (int i = 1; i <= 5; ++i) {
    const std::string parameters = ", p:" + std::to_string(i);
    graph.edges.push_back({1, 1, "go" + parameters, false, parameters});
  }
  const std::string dot = text_of(graph, GraphFormat::dot);
  EXPECT_NE(dot.find("  s0 -> s1 [label=\"go\\lp:1, v:1\\lp:1, v:2\\l\", color=\"#0072b2\", penwidth=2];\n"
                     "  s0 -> s1 [label=\"stop\"];\n"
                     "  s1 -> s1 [label=\"go\\lp:1\\lp:2\\lp:3\\land 2 more\\l\"];\n"),
            std::string::npos)
      << dot;
  EXPECT_EQ(nlohmann::json::parse(text_of(graph, GraphFormat::json))["edges"].size(), 8u);
}

TEST(WriteGraph, Json) {
  const auto json = nlohmann::json::parse(text_of(small(), GraphFormat::json));
  EXPECT_EQ(json["whole"], true);
  EXPECT_TRUE(json["note"].is_null());
  EXPECT_EQ(json["states"][0]["label"], "x:\"0\"\ny:<1>");
  EXPECT_EQ(json["states"][1]["errors"][0], "Invariant \"x\" failed.");
  EXPECT_EQ(json["edges"][0],
            nlohmann::json::parse(R"({"from": 0, "to": 1, "rule": "go, p:\"1\"", "on_path": false})"));
}

// Several initial states become one, with tau edges to them.
TEST(WriteGraph, AutJoinsInitialStates) {
  EXPECT_EQ(text_of(small(), GraphFormat::aut),
            "des (2, 4, 3)\n(2, \"tau\", 0)\n(2, \"tau\", 1)\n(0, \"go, p:'1'\", 1)\n(1, \"stay\", 1)\n");
  StateGraph graph = small();
  graph.states[1].initial = false;
  EXPECT_EQ(text_of(graph, GraphFormat::aut), "des (0, 2, 2)\n(0, \"go, p:'1'\", 1)\n(1, \"stay\", 1)\n");
}

TEST(WriteGraph, GraphMl) {
  const std::string text = text_of(small(), GraphFormat::graphml);
  EXPECT_NE(text.find("<data key=\"label\">x:&quot;0&quot;\ny:&lt;1&gt;</data>"), std::string::npos);
  EXPECT_NE(text.find("<edge id=\"e1\" source=\"s1\" target=\"s1\"><data key=\"rule\">stay</data>"),
            std::string::npos);
}

TEST(WriteGraph, ABackslashAtTheEndOfALabelOfAutDoesNotHideItsQuotationMark) {
  StateGraph graph = small();
  graph.edges[1].rule = "stay\\";
  EXPECT_TRUE(text_of(graph, GraphFormat::aut).ends_with("(1, \"stay\\\\\", 1)\n"));
}

// Names may contain any bytes; all formats must remain valid.
TEST(WriteGraph, HostileNames) {
  StateGraph graph = small();
  graph.edges[0].rule = std::string("a\xff\x01</data>\"\\\n");
  EXPECT_NE(text_of(graph, GraphFormat::dot).find("[label=\"a\xef\xbf\xbd </data>\\\"\\\\\\l\"]"),
            std::string::npos);
  EXPECT_NE(text_of(graph, GraphFormat::graphml).find("a\xef\xbf\xbd &lt;/data&gt;&quot;\\\n</data>"),
            std::string::npos);
  EXPECT_NE(text_of(graph, GraphFormat::aut).find("\"a\xef\xbf\xbd </data>'\\\\ \""), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text_of(graph, GraphFormat::json))["edges"].size(), 2u);
}

}  // namespace
}  // namespace strata
