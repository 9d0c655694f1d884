#include "check/actors.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {
namespace {

bool has_parameter(const ir::Rule& rule, const std::string& name) {
  return std::any_of(rule.bindings.begin(), rule.bindings.end(), [&](const ir::Binding& binding) {
    return binding.kind == ir::Binding::Kind::parameter && rule.locals[binding.local].name == name;
  });
}

Status name_in_rule(const std::string& rule_name, const std::string& actor, ir::Program& program) {
  bool found = false;
  for (ir::Rule& rule : program.rules) {
    if (rule.name != rule_name) continue;
    rule.actor = actor;
    found = true;
  }
  return found ? Status()
               : Status::usage(fmt::format("--actor: {} has no rule \"{}\"", program.path, rule_name));
}

Status name_everywhere(const std::string& actor, ir::Program& program) {
  bool found = false;
  for (ir::Rule& rule : program.rules) {
    if (!has_parameter(rule, actor)) continue;
    if (rule.actor.empty()) rule.actor = actor;
    found = true;
  }
  return found
             ? Status()
             : Status::usage(fmt::format("--actor: no rule of {} has a parameter '{}'", program.path, actor));
}

}  // namespace

Status name_actors(const std::vector<std::string>& given, ir::Program& program) {
  for (const bool with_rule : {true, false}) {
    for (const std::string& text : given) {
      const size_t equals = text.rfind('=');
      if ((equals != std::string::npos) != with_rule) continue;
      Status status = with_rule ? name_in_rule(text.substr(0, equals), text.substr(equals + 1), program)
                                : name_everywhere(text, program);
      if (!status.ok()) return status;
    }
  }
  return {};
}

}  // namespace strata
