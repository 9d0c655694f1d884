#include "tool/command/info_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "check/load_model.h"
#include "ir/layout.h"
#include "ir/symmetry/reduction.h"
#include "ltl/formula/formula_parser.h"
#include "ltl/translate/stutter.h"
#include "tool/output/fail_run.h"
#include "tool/output/output_file.h"
#include "tool/system/console.h"
#include "tool/system/signals.h"
#include "tool/system/standard_input.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

uint64_t state_bytes(const ir::Program& program) {
  return std::max<uint64_t>(1, (ir::state_bits(program) + 7) / 8);
}

const std::string& type_name(const ir::Program& program, const ir::StateVariable& variable) {
  return program.types[variable.type].name;
}

const char* kind_name(ir::Property::Kind kind) {
  switch (kind) {
    case ir::Property::Kind::invariant: return "invariant";
    case ir::Property::Kind::assertion: return "assertion";
    case ir::Property::Kind::assumption: return "assume";
    case ir::Property::Kind::cover: return "cover";
    case ir::Property::Kind::liveness: return "liveness";
    case ir::Property::Kind::proposition: return "proposition";
  }
  return "";
}

std::string place(const ir::Program& program, SourcePosition position) {
  if (position.line == 0) return "command line";
  return fmt::format("{}:{}:{}", program.path, position.line, position.column);
}

const char* plural(uint64_t count) { return count == 1 ? "" : "s"; }

std::string constants_text(const ir::Program& program) {
  if (program.constants.empty()) return "";
  std::string out = "\nConstants:\n\n";
  for (const auto& [name, value] : program.constants) out += fmt::format("\t{} = {}\n", name, value);
  return out;
}

std::string variables_text(const ir::Program& program) {
  const uint64_t bits = ir::state_bits(program);
  const uint64_t bytes = state_bytes(program);
  std::string out = fmt::format("\nVariables: {} ({} bit{}, {} byte{} a state)\n\n", program.state.size(),
                                bits, plural(bits), bytes, plural(bytes));
  for (const ir::StateVariable& variable : program.state) {
    const uint64_t own = ir::type_bits(program, variable.type);
    out += fmt::format("\t{}: {}, {} bit{}\n", variable.name, type_name(program, variable), own, plural(own));
  }
  return out;
}

// The scalarsets, and how many states may become one.
std::string scalarsets_text(const ir::Program& program) {
  if (program.scalarsets.empty()) return "";
  std::string lines;
  double permutations = 1;
  for (uint32_t i = 0; i < program.scalarsets.size(); ++i) {
    const ir::Scalarset& scalarset = program.scalarsets[i];
    const bool reduced = std::count(program.reduced.begin(), program.reduced.end(), i) > 0;
    for (uint64_t k = 2; reduced && k <= scalarset.size(); ++k) permutations *= static_cast<double>(k);
    lines +=
        fmt::format("\t{}: {} value{}, {}, {}\n", scalarset.name, scalarset.size(), plural(scalarset.size()),
                    reduced ? "reduced by symmetry" : "not reduced", place(program, scalarset.position));
  }
  return fmt::format("\nScalarsets: {} (up to {:.6g} states become one)\n\n{}", program.scalarsets.size(),
                     permutations, lines);
}

Json scalarsets_json(const ir::Program& program) {
  Json list = Json::array();
  for (uint32_t i = 0; i < program.scalarsets.size(); ++i) {
    const ir::Scalarset& scalarset = program.scalarsets[i];
    list.push_back({{"name", scalarset.name},
                    {"size", scalarset.size()},
                    {"reduced", std::count(program.reduced.begin(), program.reduced.end(), i) > 0}});
  }
  return list;
}

std::string rules_text(const ir::Program& program, const char* title, const std::vector<ir::Rule>& rules) {
  uint64_t total = 0;
  std::string lines;
  for (const ir::Rule& rule : rules) {
    const uint64_t instances = ir::instance_count(program, rule.bindings);
    total += instances;
    lines += fmt::format("\t{}, {} instance{}, {}\n", rule.name, instances, plural(instances),
                         place(program, rule.position));
  }
  return fmt::format("\n{}: {} ({} instance{})\n\n{}", title, rules.size(), total, plural(total), lines);
}

std::string components_text(const ir::Program& program, const char* kind, const char* title) {
  std::string lines;
  uint64_t count = 0;
  for (const ir::Component& component : program.components) {
    if (component.kind != kind) continue;
    ++count;
    lines +=
        fmt::format("\t{}: {}, {}\n", component.name, component.detail, place(program, component.position));
  }
  return count == 0 ? "" : fmt::format("\n{}: {}\n\n{}", title, count, lines);
}

// Whether the formula depends on how often a state is repeated; unknown if the formula does not parse.
ltl::Stutter stutter_of(const std::string& text) {
  ltl::FormulaPool pool;
  const Result<ltl::Property> property = ltl::parse_property(SourceFile("formula", text), pool);
  if (!property.ok()) return ltl::Stutter::unknown;
  return ltl::stutter_invariance(pool, property->formula);
}

std::string stutter_text(const std::string& text) {
  switch (stutter_of(text)) {
    case ltl::Stutter::invariant: return ", stutter-invariant";
    case ltl::Stutter::sensitive: return ", depends on repetitions";
    case ltl::Stutter::unknown: return "";
  }
  return "";
}

Json stutter_json(const std::string& text) {
  const ltl::Stutter stutter = stutter_of(text);
  return stutter == ltl::Stutter::unknown ? Json(nullptr) : Json(stutter == ltl::Stutter::invariant);
}

std::string formula_place(const ir::Formula& formula) {
  if (formula.position.line == 0) return "command line";
  return fmt::format("{}:{}:{}", formula.path, formula.position.line, formula.position.column);
}

// The program, with the formula of --ltl among its formulas.
Result<ir::Program> read_with_formula(const Options& options) {
  if (options.formulas.empty()) return read_program(options);
  ltl::FormulaPool pool;
  const SourceFile formula("--ltl", options.formulas.front());
  const Result<ltl::Property> property = ltl::parse_property(formula, pool);
  if (!property.ok()) return property.status();
  ReadRequest request;
  request.propositions = pool.propositions();
  request.places = {&formula, property->places};
  Result<ir::Program> program = read_program(options, request);
  if (program.ok()) program->formulas.push_back({"--ltl", options.formulas.front(), "", {}});
  return program;
}

std::string formulas_text(const ir::Program& program) {
  if (program.formulas.empty()) return "";
  std::string out = fmt::format("\nFormulas: {}\n\n", program.formulas.size());
  for (const ir::Formula& formula : program.formulas)
    out += fmt::format("\t{}: {}, {}{}\n", formula.name, formula.text, formula_place(formula),
                       stutter_text(formula.text));
  if (program.propositions.empty()) return out;
  out += "\n\tover the conditions";
  for (size_t i = 0; i < program.propositions.size(); ++i)
    out += (i == 0 ? " " : ", ") + program.propositions[i].name;
  return out + "\n";
}

std::string properties_text(const ir::Program& program) {
  if (program.properties.empty()) return "";
  std::string out = fmt::format("\nProperties: {}\n\n", program.properties.size());
  for (const ir::Property& property : program.properties) {
    out += fmt::format("\t{} \"{}\", {}\n", kind_name(property.kind), property.name + property.parameters,
                       place(program, property.position));
  }
  return out;
}

Json position_json(SourcePosition position) {
  if (position.line == 0) return nullptr;
  return {{"line", position.line}, {"column", position.column}};
}

Json rules_json(const ir::Program& program, const std::vector<ir::Rule>& rules) {
  Json list = Json::array();
  for (const ir::Rule& rule : rules) {
    list.push_back({{"name", rule.name},
                    {"instances", ir::instance_count(program, rule.bindings)},
                    {"position", position_json(rule.position)}});
  }
  return list;
}

}  // namespace

std::string info_text(const ir::Program& program) {
  return fmt::format("{} ({})\n", program.path, program.language) + constants_text(program) +
         components_text(program, "process", "Processes") + components_text(program, "channel", "Channels") +
         variables_text(program) + scalarsets_text(program) +
         rules_text(program, "Start states", program.starts) + rules_text(program, "Rules", program.rules) +
         properties_text(program) + formulas_text(program);
}

std::string info_json(const ir::Program& program) {
  Json object{{"strata", STRATA_VERSION}, {"model", program.path}, {"language", program.language}};
  object["state_bits"] = ir::state_bits(program);
  object["state_bytes"] = state_bytes(program);
  object["constants"] = Json::object();
  for (const auto& [name, value] : program.constants) object["constants"][name] = value;
  object["variables"] = Json::array();
  for (const ir::StateVariable& variable : program.state) {
    object["variables"].push_back({{"name", variable.name},
                                   {"type", type_name(program, variable)},
                                   {"bits", ir::type_bits(program, variable.type)},
                                   {"position", position_json(variable.position)}});
  }
  object["scalarsets"] = scalarsets_json(program);
  object["starts"] = rules_json(program, program.starts);
  object["rules"] = rules_json(program, program.rules);
  object["properties"] = Json::array();
  for (const ir::Property& property : program.properties) {
    object["properties"].push_back({{"kind", kind_name(property.kind)},
                                    {"name", property.name + property.parameters},
                                    {"position", position_json(property.position)}});
  }
  object["components"] = Json::array();
  for (const ir::Component& component : program.components) {
    object["components"].push_back({{"kind", component.kind},
                                    {"name", component.name},
                                    {"detail", component.detail},
                                    {"position", position_json(component.position)}});
  }
  object["formulas"] = Json::array();
  for (const ir::Formula& formula : program.formulas) {
    object["formulas"].push_back({{"name", formula.name},
                                  {"text", formula.text},
                                  {"file", formula.path},
                                  {"stutter_invariant", stutter_json(formula.text)}});
  }
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int info_command(Options options) {
  const StopSignals signals;
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());
  if (Status status = read_standard_input(options); !status.ok()) return fail_run(options, status, *outputs);
  Result<ir::Program> program = read_with_formula(options);
  if (!program.ok() || signals.stop())
    return fail_run(options, loading_failed(signals.stop(), program.status()), *outputs);
  print_note(program->note);
  for (const std::string& note : ir::choose_reduction(*program, {})) print_note(note);
  const Console console(options);
  console.print(info_text(*program));
  const Status printed = console.flush();
  Status status;
  if (outputs->json.is_open()) status = outputs->write_json(info_json(*program));
  if (!status.ok() || !printed.ok()) return fail(status.ok() ? printed : status);
  return 0;
}

}  // namespace strata
