#include "lang/common/typed_expression.h"

#include "base/characters.h"

namespace strata::lang {

std::string blanks_for(std::string_view text) {
  std::string blanks;
  for (const char c : text)
    if (c == '\n' || !is_continuation(c)) blanks += c == '\n' ? '\n' : ' ';
  return blanks;
}

ir::Property& add_typed_property(ir::Program& program, const std::string& text, TypedKind kind,
                                 ir::ExprPtr condition) {
  ir::Property property;
  property.name = text;
  property.condition = std::move(condition);
  if (kind == TypedKind::proposition) {
    property.kind = ir::Property::Kind::proposition;
    program.atoms.push_back(static_cast<uint32_t>(program.properties.size()));
  }
  program.properties.push_back(std::move(property));
  return program.properties.back();
}

}  // namespace strata::lang
