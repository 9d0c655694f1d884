#include "ltl/format/write.h"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "ltl/format/label.h"
#include "ltl/formula/formula_lexer.h"

namespace strata::ltl {
namespace {

// In double quotes, on one line.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "\"";
}

// The edges of a state; those with the same target and marks are merged.
std::map<std::pair<uint32_t, uint64_t>, std::vector<Cube>> bundled(const std::vector<Edge>& edges) {
  std::map<std::pair<uint32_t, uint64_t>, std::vector<Cube>> result;
  for (const Edge& edge : edges) result[{edge.target, edge.marks}].push_back(edge.label);
  return result;
}

std::string marks_text(uint64_t marks) {
  std::string out;
  for (uint32_t i = 0; i < Automaton::kMaximumSets; ++i) {
    if ((marks >> i & 1) != 0) out += (out.empty() ? "" : " ") + std::to_string(i);
  }
  return out.empty() ? "" : " {" + out + "}";
}

std::string acceptance_text(const Automaton& automaton) {
  const uint32_t sets = automaton.sets;
  if (sets == 0) return "acc-name: all\nAcceptance: 0 t\n";
  std::string out = sets == 1 ? "acc-name: Buchi\n" : fmt::format("acc-name: generalized-Buchi {}\n", sets);
  out += fmt::format("Acceptance: {}", sets);
  for (uint32_t i = 0; i < sets; ++i) out += fmt::format("{}Inf({})", i == 0 ? " " : "&", i);
  return out + "\n";
}

std::string never_label(const Automaton& automaton, uint32_t state) {
  const char* prefix = automaton.is_accepting(state) ? "accept" : "T0";
  return state == automaton.initial ? fmt::format("{}_init", prefix) : fmt::format("{}_S{}", prefix, state);
}

std::string never_body(const Automaton& automaton, uint32_t state) {
  const auto edges = bundled(automaton.states[state]);
  if (edges.empty()) return "\tfalse;\n";
  LabelStyle style{{}, "!", " && ", " || ", "true"};
  for (const std::string& text : automaton.propositions) {
    style.propositions.push_back(is_plain_name(text) ? text : "(" + text + ")");
  }
  std::string out = "\tif\n";
  for (const auto& [to, cubes] : edges) {
    out += fmt::format("\t:: ({}) -> goto {}\n", label_text(cubes, style), never_label(automaton, to.first));
  }
  return out + "\tfi;\n";
}

}  // namespace

std::string write_hoa(const Automaton& automaton, const std::string& name, const std::string& properties) {
  const bool state_based = automaton.is_state_based();
  std::string out = "HOA: v1\n";
  if (!name.empty()) out += fmt::format("name: {}\n", quoted(name));
  out += fmt::format("tool: \"strata\"\nStates: {}\nStart: {}\n", automaton.states.size(), automaton.initial);
  out += fmt::format("AP: {}", automaton.propositions.size());
  LabelStyle style{{}, "!", "&", " | ", "t"};
  for (size_t i = 0; i < automaton.propositions.size(); ++i) {
    out += " " + quoted(automaton.propositions[i]);
    style.propositions.push_back(std::to_string(i));
  }
  out += "\n" + acceptance_text(automaton) + "properties: trans-labels explicit-labels ";
  out += state_based ? "state-acc" : "trans-acc";
  if (automaton.is_deterministic()) out += " deterministic";
  if (!properties.empty()) out += " " + properties;
  out += "\n--BODY--\n";
  for (uint32_t state = 0; state < automaton.states.size(); ++state) {
    const std::vector<Edge>& edges = automaton.states[state];
    const uint64_t marks = state_based && !edges.empty() ? edges[0].marks : 0;
    out += fmt::format("State: {}{}\n", state, marks_text(marks));
    for (const auto& [to, cubes] : bundled(edges)) {
      const std::string own = state_based ? "" : marks_text(to.second);
      out += fmt::format("[{}] {}{}\n", label_text(cubes, style), to.first, own);
    }
  }
  return out + "--END--\n";
}

std::string write_never(const Automaton& automaton, const std::string& name) {
  std::string comment = name;
  for (size_t at; (at = comment.find("*/")) != std::string::npos;) comment.replace(at, 2, "* /");
  std::string out = name.empty() ? "never {\n" : fmt::format("never {{ /* {} */\n", comment);
  for (uint32_t state = 0; state < automaton.states.size(); ++state) {
    out += never_label(automaton, state) + ":\n" + never_body(automaton, state);
  }
  return out + "}\n";
}

std::string write_dot(const Automaton& automaton, const std::string& name) {
  LabelStyle style{automaton.propositions, "!", " & ", " | ", "true"};
  for (std::string& text : style.propositions) {
    if (!is_plain_name(text)) text = "(" + text + ")";
  }
  std::string out = "digraph automaton {\n  rankdir=LR\n";
  if (!name.empty()) out += fmt::format("  label={}\n", quoted(name));
  out += "  node [shape=circle]\n  start [label=\"\", style=invis, width=0]\n";
  out += fmt::format("  start -> {}\n", automaton.initial);
  for (uint32_t state = 0; state < automaton.states.size(); ++state) {
    out += fmt::format("  {}{}\n", state, automaton.is_accepting(state) ? " [peripheries=2]" : "");
    for (const auto& [to, cubes] : bundled(automaton.states[state])) {
      out += fmt::format("  {} -> {} [label={}]\n", state, to.first, quoted(label_text(cubes, style)));
    }
  }
  return out + "}\n";
}

}  // namespace strata::ltl
