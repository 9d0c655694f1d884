#include "report/graph/write_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "base/characters.h"
#include "report/json/value_json.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using State = StateGraph::State;
using Edge = StateGraph::Edge;

// Names in a model may contain any bytes: bytes that are not UTF-8 become U+FFFD, control characters become spaces.
std::string clean(const std::string& text) {
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out = Json::parse(quoted).get<std::string>();
  std::replace_if(
      out.begin(), out.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t'; }, ' ');
  return out;
}

std::string replaced(const std::string& text, std::initializer_list<std::pair<char, const char*>> by) {
  std::string out;
  for (const char c : clean(text)) {
    const auto found = std::find_if(by.begin(), by.end(), [&](const auto& pair) { return pair.first == c; });
    if (found == by.end())
      out += c;
    else
      out += found->second;
  }
  return out;
}

std::string error_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "; ") + text;
  return out;
}

// ---- Graphviz

// The lines of a label are left-aligned.
std::string dot_text(const std::string& text) {
  return replaced(text, {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\l"}});
}

std::string dot_state(const State& state, size_t number) {
  const std::string values = state.label.empty() ? "" : "\\n" + dot_text(state.label) + "\\l";
  std::string out = fmt::format("  s{0} [label=\"{0}{1}\"", number, values);
  if (state.accepting) out += ", peripheries=2";
  if (!state.errors.empty())
    out += fmt::format(", color=\"#d55e00\", penwidth=2, tooltip=\"{}\"", dot_text(error_list(state.errors)));
  else if (state.on_path)
    out += ", color=\"#0072b2\", penwidth=2";
  if (state.deadlock) out += ", fillcolor=\"#eeeeee\", style=\"filled,rounded\"";
  if (state.cut) out += ", style=\"dashed,rounded\"";
  return out + "];\n";
}

// The edges of one rule between two states: they differ in its parameters.
struct JoinedEdges {
  const Edge* first;
  std::vector<std::string> parameters;  // "p:Proc_1, v:2", of each
  bool on_path = false;
};

// Edges are joined where the first of them is.
std::vector<JoinedEdges> joined_edges(const StateGraph& graph) {
  std::vector<JoinedEdges> joined;
  std::map<std::tuple<uint32_t, uint32_t, std::string>, size_t> known;
  for (const Edge& edge : graph.edges) {
    const std::string name = edge.rule.substr(0, edge.rule.size() - edge.parameters.size());
    const auto [place, added] = known.try_emplace({edge.from, edge.to, name}, joined.size());
    if (added) joined.push_back({&edge, {}, false});
    JoinedEdges& one = joined[place->second];
    one.parameters.push_back(edge.parameters.starts_with(", ") ? edge.parameters.substr(2) : edge.parameters);
    one.on_path |= edge.on_path;
  }
  return joined;
}

// A single edge has the text of its rule; of several, the name is followed by the parameters, a line each.
std::string joined_text(const JoinedEdges& edges) {
  constexpr size_t kMost = 4;
  const std::string& rule = edges.first->rule;
  if (edges.parameters.size() == 1) return rule;
  std::string out = rule.substr(0, rule.size() - edges.first->parameters.size());
  const size_t count = edges.parameters.size();
  const size_t shown = count <= kMost ? count : kMost - 1;
  for (size_t i = 0; i < shown; ++i) out += "\n" + edges.parameters[i];
  if (shown < count) out += fmt::format("\nand {} more", count - shown);
  return out + "\n";
}

void write_dot(const StateGraph& graph, const TextSink& sink) {
  sink("// " + replaced(graph.model, {{'\n', " "}}) + ", by Strata " + graph.version + "\n");
  sink(
      "digraph states {\n  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=11];\n");
  if (!graph.note.empty()) sink(fmt::format("  label=\"{}\";\n", dot_text(graph.note)));
  for (size_t i = 0; i < graph.states.size(); ++i) sink(dot_state(graph.states[i], i));
  for (size_t i = 0; i < graph.states.size(); ++i)
    if (graph.states[i].initial)
      sink(fmt::format("  start{0} [shape=point, style=filled, label=\"\"];\n  start{0} -> s{0};\n", i));
  for (const JoinedEdges& edges : joined_edges(graph))
    sink(fmt::format("  s{} -> s{} [label=\"{}\"{}];\n", edges.first->from, edges.first->to,
                     dot_text(joined_text(edges)), edges.on_path ? ", color=\"#0072b2\", penwidth=2" : ""));
  sink("}\n");
}

// ---- JSON

Json state_json(const State& state, size_t number) {
  return {{"id", number},
          {"level", state.level},
          {"initial", state.initial},
          {"accepting", state.accepting},
          {"deadlock", state.deadlock},
          {"errors", state.errors},
          {"on_path", state.on_path},
          {"cut", state.cut},
          {"label", state.label},
          {"state", to_json(state.value)}};
}

std::string json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One state or edge per line.
void write_json(const StateGraph& graph, const TextSink& sink) {
  sink(fmt::format("{{\"strata\": {}, \"model\": {}, \"whole\": {}, \"note\": {},\n",
                   json_line(graph.version), json_line(graph.model), graph.note.empty(),
                   graph.note.empty() ? "null" : json_line(graph.note)));
  sink("\"states\": [");
  for (size_t i = 0; i < graph.states.size(); ++i)
    sink((i == 0 ? "\n" : ",\n") + json_line(state_json(graph.states[i], i)));
  sink("],\n\"edges\": [");
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const Edge& edge = graph.edges[i];
    sink((i == 0 ? "\n" : ",\n") +
         json_line({{"from", edge.from}, {"to", edge.to}, {"rule", edge.rule}, {"on_path", edge.on_path}}));
  }
  sink("]}\n");
}

// ---- GraphML

std::string xml_text(const std::string& text) {
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string datum(const char* key, const std::string& text) {
  return fmt::format("<data key=\"{}\">{}</data>", key, text);
}

void write_graphml(const StateGraph& graph, const TextSink& sink) {
  static constexpr std::array<std::array<const char*, 3>, 11> kKeys = {{{"label", "node", "string"},
                                                                        {"level", "node", "long"},
                                                                        {"initial", "node", "boolean"},
                                                                        {"accepting", "node", "boolean"},
                                                                        {"deadlock", "node", "boolean"},
                                                                        {"errors", "node", "string"},
                                                                        {"on_path", "node", "boolean"},
                                                                        {"cut", "node", "boolean"},
                                                                        {"rule", "edge", "string"},
                                                                        {"path", "edge", "boolean"},
                                                                        {"note", "graph", "string"}}};
  sink(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
      "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  for (const auto& [name, domain, type] : kKeys)
    sink(fmt::format("  <key id=\"{0}\" for=\"{1}\" attr.name=\"{2}\" attr.type=\"{3}\"/>\n", name, domain,
                     std::string(name) == "path" ? "on_path" : name, type));
  sink("  <graph id=\"states\" edgedefault=\"directed\">\n");
  if (!graph.note.empty()) sink("    " + datum("note", xml_text(graph.note)) + "\n");
  const auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
  for (size_t i = 0; i < graph.states.size(); ++i) {
    const State& s = graph.states[i];
    sink(fmt::format("    <node id=\"s{}\">", i) + datum("label", xml_text(s.label)) +
         datum("level", std::to_string(s.level)) + datum("initial", truth(s.initial)) +
         datum("accepting", truth(s.accepting)) + datum("deadlock", truth(s.deadlock)) +
         datum("errors", xml_text(error_list(s.errors))) + datum("on_path", truth(s.on_path)) +
         datum("cut", truth(s.cut)) + "</node>\n");
  }
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const Edge& e = graph.edges[i];
    sink(fmt::format("    <edge id=\"e{}\" source=\"s{}\" target=\"s{}\">", i, e.from, e.to) +
         datum("rule", xml_text(e.rule)) + datum("path", truth(e.on_path)) + "</edge>\n");
  }
  sink("  </graph>\n</graphml>\n");
}

// ---- Aldebaran

// A label cannot contain a quotation mark. Backslashes are doubled, because some readers treat a backslash as an
// escape. Several initial states are replaced by one new state, with tau edges to all of them.
void write_aut(const StateGraph& graph, const TextSink& sink) {
  std::vector<size_t> initial;
  for (size_t i = 0; i < graph.states.size(); ++i)
    if (graph.states[i].initial) initial.push_back(i);
  const bool joins = initial.size() != 1;
  const size_t first = joins ? graph.states.size() : initial[0];
  sink(fmt::format("des ({}, {}, {})\n", first, graph.edges.size() + (joins ? initial.size() : 0),
                   graph.states.size() + (joins ? 1 : 0)));
  for (const size_t state : initial)
    if (joins) sink(fmt::format("({}, \"tau\", {})\n", first, state));
  for (const Edge& edge : graph.edges)
    sink(fmt::format("({}, \"{}\", {})\n", edge.from,
                     replaced(edge.rule, {{'"', "'"}, {'\\', "\\\\"}, {'\n', " "}}), edge.to));
}

}  // namespace

std::optional<GraphFormat> graph_format(const std::string& path) {
  const std::pair<const char*, GraphFormat> kinds[] = {{".dot", GraphFormat::dot},
                                                       {".gv", GraphFormat::dot},
                                                       {".json", GraphFormat::json},
                                                       {".graphml", GraphFormat::graphml},
                                                       {".aut", GraphFormat::aut}};
  for (const auto& [end, format] : kinds)
    if (path.ends_with(end)) return format;
  return std::nullopt;
}

void write_graph(const StateGraph& graph, GraphFormat format, const TextSink& sink) {
  switch (format) {
    case GraphFormat::dot: return write_dot(graph, sink);
    case GraphFormat::json: return write_json(graph, sink);
    case GraphFormat::graphml: return write_graphml(graph, sink);
    case GraphFormat::aut: return write_aut(graph, sink);
  }
}

}  // namespace strata
