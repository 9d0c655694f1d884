// From values to raw codes and back, where values may be undefined.
#pragma once

#include <string>

#include "base/source.h"
#include "ir/program.h"
#include "native/code/expression_context.h"

namespace strata::native {

class ExpressionEmitter;

class CodeEmitter {
 public:
  CodeEmitter(const ExpressionContext& context, ExpressionEmitter& expressions)
      : context_(context), expressions_(expressions) {}

  // Whether the expression reads a variable whose code is handed on, undefined or not.
  bool hands_on_code(const ir::Expr& e) const;
  bool may_be_undefined(const ir::Expr& e) const;
  // The raw code of `value` as a value of `type`; `target` is what it is assigned to, for messages.
  std::string encode(ir::TypeId type, const ir::Expr& value, const std::string& target,
                     SourcePosition position);
  // The value; kUndefined where it is undefined.
  std::string optional(const ir::Expr& e);
  // The value of a raw code that is not that of "undefined".
  std::string decode_defined(ir::TypeId type, const std::string& code) const;

 private:
  std::string encode_defined(ir::TypeId type, const std::string& text, const ir::Expr& value,
                             const std::string& target, SourcePosition position);

  const ExpressionContext& context_;
  ExpressionEmitter& expressions_;
};

}  // namespace strata::native
