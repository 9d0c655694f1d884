// The C++ types of the packed form (place_form.h), and for each type K the functions on its values and places:
//
//   clear_K               sets every scalar to its first value
//   equal_K, compare_K    whether two values are equal, and their order
//   insert_K, remove_K    where K is a multiset
//   value_K, encode_K     where K is a union (union_codes.h)
#pragma once

#include <cstdint>
#include <string>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

class PackedTypes {
 public:
  PackedTypes(const ir::Program& program, const CppTypes& types, const Target& target, Text& text)
      : program_(program), types_(types), target_(target), text_(text) {}
  void emit();

 private:
  void scalar(ir::TypeId id, const ir::ScalarType& type);
  void array(ir::TypeId id, const ir::ArrayType& type);
  void record(ir::TypeId id, const ir::RecordType& type);
  void multiset(ir::TypeId id, const ir::MultisetType& type);
  // The types of an aggregate. The place is derived from `base` and has these members.
  void aggregate(ir::TypeId id, const std::string& base, const std::string& members);
  void clear(uint32_t k, const std::string& body);
  void compare(uint32_t k, const std::string& body);
  void line(const std::string& text) { text_.line(0, text); }

  const ir::Program& program_;
  const CppTypes& types_;
  const Target& target_;
  Text& text_;
};

}  // namespace strata::native
