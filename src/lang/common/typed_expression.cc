#include "lang/common/typed_expression.h"

namespace strata::lang {

ir::Property& add_typed_property(ir::Program& program, const std::string& text, bool proposition,
                                 ir::ExprPtr condition) {
  ir::Property property;
  property.name = text;
  property.condition = std::move(condition);
  if (proposition) {
    property.kind = ir::Property::Kind::proposition;
    program.atoms.push_back(static_cast<uint32_t>(program.properties.size()));
  }
  program.properties.push_back(std::move(property));
  return program.properties.back();
}

}  // namespace strata::lang
