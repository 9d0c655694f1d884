#include "tool/step/suite_case.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/text/is_number.h"
#include "model/value.h"

namespace strata {
namespace {

// A scalar of the state as a condition.
std::string scalar_condition(const std::string& path, const std::string& value, bool dve) {
  if (value == "Undefined") return fmt::format("isundefined({})", path);
  if (dve && !is_integer(value)) return path + "." + value;
  // In other states the scalar may be undefined, and reading it an error.
  return dve ? fmt::format("{} == {}", path, value)
             : fmt::format("!isundefined({}) & {} = {}", path, path, value);
}

}  // namespace

std::string state_condition(const Model& model, const uint8_t* state, Questions& questions, Questions& names,
                            uint64_t& left_out) {
  const bool dve = model.info().language == "dve";
  std::string out;
  left_out = 0;
  for (const auto& [path, value] : leaves(model.describe(state))) {
    const std::string part = scalar_condition(path, value, dve);
    const Result<bool> holds = questions.holds(part, state);
    if (!holds.ok() || !*holds || !names.understand(part).ok()) {
      ++left_out;
      continue;
    }
    out += (out.empty() ? "" : dve ? " && " : " & ") + part;
  }
  return out;
}

Result<std::string> with_case(const std::string& before, const Options& options, const std::string& file,
                              const std::string& name, const std::string& condition) {
  using Json = nlohmann::ordered_json;
  Json suite = before.empty() ? Json{{"runs", Json::array()}} : Json::parse(before, nullptr, false);
  if (!suite.is_object() || !suite.contains("runs") || !suite["runs"].is_array())
    return Status::usage(fmt::format("'{}' is not a suite in JSON, to which a case can be added", file));
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(file, error).parent_path();
  const std::filesystem::path model =
      std::filesystem::relative(std::filesystem::absolute(options.model, error), folder, error);
  Json words = Json::array();
  for (const auto& [constant, value] : options.defines) {
    words.push_back("-D");
    words.push_back(constant + "=" + value);
  }
  for (const auto& [id, value] : options.language_options) {
    words.push_back("--" + id);
    words.push_back(value);
  }
  for (const char* word : {"-p", "reached=", "--ltl", "EF reached"}) words.push_back(word);
  words[words.size() - 3] = "reached=" + condition;
  suite["runs"].push_back({{"name", name},
                           {"model", model.empty() ? options.model : model.string()},
                           {"options", std::move(words)},
                           {"expect", "holds"}});
  return suite.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace strata
