// The C++ types of a program's types: t0, t1 ... Types of the same structure share one, whatever their names are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/program.h"

namespace strata::native {

class CppTypes {
 public:
  explicit CppTypes(const ir::Program& program);

  // The number of the C++ type, by which the functions on its values are called too (pk_0, eq_0 ...).
  uint32_t number(ir::TypeId id) const { return numbers_[id]; }
  std::string name(ir::TypeId id) const;
  // One IR type for each C++ type, by number: the parts of a type come before it.
  const std::vector<ir::TypeId>& examples() const { return examples_; }
  // The structure as text: equal exactly for types that share a C++ type.
  std::string key(ir::TypeId id) const;

  const ir::ScalarType& scalar(ir::TypeId id) const { return *program_.types[id].scalar(); }
  // Whether the type is stored as a struct, not as a number.
  bool is_aggregate(ir::TypeId id) const;
  bool contains_multiset(ir::TypeId id) const;

 private:
  void assign(ir::TypeId id, std::map<std::string, uint32_t>& number_by_key);

  const ir::Program& program_;
  std::vector<uint32_t> numbers_;
  std::vector<ir::TypeId> examples_;
};

}  // namespace strata::native
