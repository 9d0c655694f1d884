// Places: variables, and the elements, fields and slots selected from them. Checks of an index that the
// intervals of the scope prove to be unnecessary are left out.
#pragma once

#include <functional>
#include <string>

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
  // The statement that gives the place this raw code, or this struct.
  std::string assign(const ir::Place& p, const std::string& code);

 private:
  // The text of what is done with a place.
  struct Use {
    // From the text of the place; `chosen`: that is a parameter of with_element().
    std::function<std::string(const std::string& place, bool chosen)> place;
    // From an array and a position in it that are not constant. Without it, place() gets the element.
    std::function<std::string(const std::string& array, const std::string& position)> element;
  };

  std::string root(const ir::Place& p, ir::TypeId& type);
  std::string select(const std::string& base, ir::TypeId& type, const ir::Selector& selector,
                     const ir::Place& p);
  std::string slot(const std::string& base, const ir::MultisetType& multiset, const ir::Selector& selector,
                   const ir::Place& p);
  bool chooses(const ir::ArrayType* array, const ir::Expr& index) const;
  std::string through(const ir::Place& p, size_t first, std::string base, ir::TypeId type, const Use& use);
  std::string with_place(const ir::Place& p, const Use& use);
  std::string array_position(const ir::Expr& index, ir::TypeId index_type, const ir::Place& p);

  const ExpressionContext& context_;
  ExpressionEmitter& expressions_;
};

}  // namespace strata::native
