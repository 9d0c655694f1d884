#include "tool/command/algorithms_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "liveness/cycle_algorithms.h"
#include "tool/output/output_file.h"
#include "tool/system/console.h"

namespace strata {
namespace {

// One line for each parameter, in columns: the option that sets its default, then its meaning.
std::string parameters_text(std::vector<AlgorithmParameter> parameters, bool all) {
  if (!all) std::erase_if(parameters, [](const AlgorithmParameter& one) { return one.experiment; });
  if (parameters.empty()) return "\tno parameters\n";
  size_t width = 0;
  for (const AlgorithmParameter& parameter : parameters) {
    width = std::max(width, fmt::formatted_size("{}={}", parameter.name, parameter.default_value));
  }
  std::string out;
  for (const AlgorithmParameter& parameter : parameters) {
    const std::string setting = fmt::format("{}={}", parameter.name, parameter.default_value);
    out += fmt::format("\t--set {:<{}}  {}\n", setting, width, parameter.help);
  }
  return out;
}

std::string traits_text(const Algorithm& row) {
  std::string out;
  for (unsigned i = 0; i < trait::count; ++i)
    if (row.has(1u << i)) out += std::string(out.empty() ? "" : ", ") + trait::kAll[i].name;
  return out;
}

}  // namespace

std::string algorithms_text(const std::vector<Algorithm>& rows, bool all) {
  std::string out;
  for (const Algorithm& row : rows) {
    out += fmt::format("{}\n\t{}\n\tsource: {}\n", row.name, row.summary, row.source);
    if (const std::string traits = traits_text(row); !traits.empty())
      out += fmt::format("\ttraits: {}\n", traits);
    out += parameters_text(row.parameters, all);
    out += '\n';
  }
  return out;
}

namespace {

nlohmann::ordered_json traits_json(const Algorithm& row) {
  nlohmann::ordered_json traits;
  for (unsigned i = 0; i < trait::count; ++i) traits[trait::kAll[i].name] = row.has(1u << i);
  return traits;
}

nlohmann::ordered_json parameter_json(const AlgorithmParameter& parameter) {
  const ParameterValues& values = parameter.values;
  nlohmann::ordered_json object = {{"name", parameter.name}, {"default", parameter.default_value}};
  if (values.kind == ParameterValues::Kind::whole) {
    object["least"] = static_cast<uint64_t>(values.least);
    object["most"] = static_cast<uint64_t>(values.most);
  } else if (values.kind == ParameterValues::Kind::real) {
    object["least"] = values.least;
    object["most"] = values.most;
  }
  if (!values.words.empty()) object["values"] = values.words;
  object["experiment"] = parameter.experiment;
  object["help"] = parameter.help;
  return object;
}

}  // namespace

std::string algorithms_json(const std::vector<Algorithm>& rows) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Algorithm& row : rows) {
    Json parameters = Json::array();
    for (const AlgorithmParameter& parameter : row.parameters)
      parameters.push_back(parameter_json(parameter));
    list.push_back({{"name", row.name},
                    {"summary", row.summary},
                    {"source", row.source},
                    {"alias_of", row.alias_of.empty() ? Json() : Json(row.alias_of)},
                    {"finds", row.has(trait::cycles) ? "cycles" : "errors"},
                    {"traits", traits_json(row)},
                    {"parameters", std::move(parameters)}});
  }
  return Json{{"strata", STRATA_VERSION}, {"algorithms", std::move(list)}}.dump(2) + "\n";
}

int algorithms_command(const Options& options) {
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());
  const Console console(options);
  console.print(algorithms_text(all_algorithms(), options.all_parameters));
  Status status = console.flush();
  if (status.ok() && outputs->json.is_open()) status = outputs->write_json(algorithms_json(all_algorithms()));
  return status.ok() ? 0 : fail(status);
}

}  // namespace strata
