#include "native/text/place_form.h"

#include <fmt/format.h>

namespace strata::native {

std::string PlaceForm::variable(const ir::Program& program, size_t variable) const {
  return fmt::format("state.{}{}", member_name(program, variable), is_packed() ? "()" : "");
}

std::string PlaceForm::field(const std::string& base, uint32_t field) const {
  return fmt::format("{}.f{}{}", base, field, is_packed() ? "()" : "");
}

std::string PlaceForm::element(const std::string& base, const std::string& position) const {
  return is_packed() ? fmt::format("{}.e({})", base, position) : fmt::format("{}.e[{}]", base, position);
}

std::string PlaceForm::in_value(const CppTypes& types, ir::TypeId type, const std::string& value) const {
  return is_packed() && types.is_aggregate(type) ? fmt::format("p{}({})", types.number(type), value) : value;
}

std::string PlaceForm::is_used(const std::string& multiset, const std::string& slot) const {
  return is_packed() ? fmt::format("(u64){} < {}.count()", slot, multiset)
                     : fmt::format("{}.used[{}]", multiset, slot);
}

std::string PlaceForm::local_variable(const CppTypes& types, ir::TypeId type, size_t local) const {
  if (!is_packed()) return fmt::format("{} l{}{{}};", types.name(type), local);
  return fmt::format("h{0} h_l{1}; p{0} l{1}(h_l{1});", types.number(type), local);
}

std::string PlaceForm::named_aggregate(const CppTypes& types, ir::TypeId type, size_t local,
                                       const std::string& value) const {
  if (!is_packed()) return fmt::format("const {} l{} = {};", types.name(type), local, value);
  return fmt::format("const t{0} h_l{1} = {2}; const p{0} l{1}(h_l{1});", types.number(type), local, value);
}

std::string PlaceForm::place_parameter(const CppTypes& types, ir::TypeId type) const {
  return is_packed() ? fmt::format("p{}", types.number(type)) : types.name(type) + "&";
}

std::string PlaceForm::aggregate_parameter(const CppTypes& types, ir::TypeId type) const {
  return is_packed() ? fmt::format("p{}", types.number(type)) : fmt::format("const {}&", types.name(type));
}

}  // namespace strata::native
