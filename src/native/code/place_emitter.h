// Places: variables, and the elements, fields and slots selected from them. Checks of an index that the
// intervals of the scope prove to be unnecessary are left out.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "ir/program.h"
#include "native/code/expression_context.h"

namespace strata::native {

class ExpressionEmitter;

class PlaceEmitter {
 public:
  PlaceEmitter(const ExpressionContext& context, ExpressionEmitter& expressions)
      : context_(context), expressions_(expressions) {}

  // The place, which may be assigned to: a raw code or a struct.
  std::string place(const ir::Place& p);
  // The value of a scalar, checked to be defined.
  std::string read(const ir::Place& p);
  std::string is_undefined(const ir::Place& p);
  // The raw code of a scalar.
  std::string code(const ir::Place& p);
  // The statement that gives a scalar this raw code.
  std::string assign(const ir::Place& p, const std::string& code);

 private:
  std::string select(const std::string& base, ir::TypeId& type, const ir::Selector& selector,
                     const ir::Place& p);
  std::string slot(const std::string& base, const ir::MultisetType& multiset, const ir::Selector& selector,
                   const ir::Place& p);
  std::optional<std::pair<std::string, std::string>> chosen(const ir::Place& p);
  std::string array_position(const ir::Expr& index, ir::TypeId index_type, const ir::Place& p);

  const ExpressionContext& context_;
  ExpressionEmitter& expressions_;
};

}  // namespace strata::native
