// The C++ types of a program's types: t0, t1 ... Types of the same structure share one, whatever their names are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/layout.h"
#include "ir/program.h"

namespace strata::native {

// The C++ text of a number.
std::string literal(int64_t value);
// The name of a state variable in struct State: its number, and what of its name a C++ name can have.
std::string member_name(const ir::Program& program, size_t variable);

// The smallest unsigned type of so many bits.
const char* raw_type(uint64_t bits);

class CppTypes {
 public:
  explicit CppTypes(const ir::Program& program);

  // The number of the C++ type, which the functions on its values have in their names too (pack_0, equal_0 ...).
  uint32_t number(ir::TypeId id) const { return numbers_[id]; }
  std::string name(ir::TypeId id) const;
  // One IR type for each C++ type, by number: the parts of a type come before it.
  const std::vector<ir::TypeId>& examples() const { return examples_; }
  // The structure as text: equal exactly for types that share a C++ type.
  std::string key(ir::TypeId id) const;

  const ir::ScalarType& scalar(ir::TypeId id) const { return *program_.types[id].scalar(); }
  // Whether the type is stored as a struct, not as a number.
  bool is_aggregate(ir::TypeId id) const;
  bool contains_multiset(ir::TypeId id) const { return ir::contains_multiset(program_, id); }

 private:
  void assign(ir::TypeId id, std::map<std::string, uint32_t>& number_by_key);

  const ir::Program& program_;
  std::vector<uint32_t> numbers_;
  std::vector<ir::TypeId> examples_;
};

}  // namespace strata::native
