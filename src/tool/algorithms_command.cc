#include "tool/algorithms_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tool/console.h"
#include "tool/output_file.h"

namespace strata {

std::string algorithms_text(const std::vector<Algorithm>& rows) {
  std::string out;
  for (const Algorithm& row : rows) {
    out += fmt::format("{}\n\t{}\n\tsource: {}\n", row.name, row.summary, row.source);
    if (row.parameters.empty()) out += "\tno parameters\n";
    for (const AlgorithmParameter& parameter : row.parameters) {
      out += fmt::format("\t--set {}={}\t{}\n", parameter.name, parameter.fallback, parameter.help);
    }
    out += '\n';
  }
  return out;
}

std::string algorithms_json(const std::vector<Algorithm>& rows) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Algorithm& row : rows) {
    Json parameters = Json::array();
    for (const AlgorithmParameter& parameter : row.parameters) {
      parameters.push_back(
          {{"name", parameter.name}, {"default", parameter.fallback}, {"help", parameter.help}});
    }
    list.push_back({{"name", row.name},
                    {"summary", row.summary},
                    {"source", row.source},
                    {"parameters", std::move(parameters)}});
  }
  return Json{{"strata", STRATA_VERSION}, {"algorithms", std::move(list)}}.dump(2) + "\n";
}

int algorithms_command(const Options& options) {
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());
  const Console console(options);
  console.print(algorithms_text(algorithms()));
  Status status = console.flush();
  if (status.ok() && outputs->json.is_open()) status = outputs->json.write(algorithms_json(algorithms()));
  return status.ok() ? 0 : fail(status);
}

}  // namespace strata
