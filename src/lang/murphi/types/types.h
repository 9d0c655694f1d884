// The types of a Murphi model. They are stored in ir::Program::types; this table adds what only the checker needs: the
// kind of each type, which types have the same shape, and the number of bits of a value.
//
// Invariants
//  1. Enums and scalarsets have disjoint values, all greater than those of boolean, so the values of a union's parts
//     never collide. Ranges keep their integers.
//  2. Two types have the same shape exactly if they have the same structure (range bounds, field names, elements ...);
//     no other type has the shape of an enum or scalarset.
//  3. kNoType stands for a type in error. It is compatible with every type, so that one error gives one message.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/program.h"

namespace strata::murphi {

enum class TypeKind {
  error,
  integer,  // the type of arithmetic; not storable
  boolean,
  range,
  enumerated,
  scalarset,
  union_of,
  slot,  // the index of one multiset type: what Choose and the multiset functions bind
  array,
  record,
  multiset,
};

class TypeTable {
 public:
  explicit TypeTable(std::vector<ir::Type>& types);

  // An empty name is replaced by the text of the type.
  ir::TypeId add_range(std::string name, int64_t low, int64_t high);
  ir::TypeId add_enum(std::string name, std::vector<std::string> members);
  ir::TypeId add_scalarset(std::string name, std::string prefix, int64_t size);
  ir::TypeId add_union(std::string name, const std::vector<ir::TypeId>& parts);
  ir::TypeId add_array(std::string name, ir::TypeId index, ir::TypeId element);
  ir::TypeId add_record(std::string name, std::vector<ir::Field> fields);
  ir::TypeId add_multiset(std::string name, uint64_t capacity, ir::TypeId element);
  ir::TypeId slot_of(ir::TypeId multiset);

  TypeKind kind(ir::TypeId type) const;
  const ir::Type& operator[](ir::TypeId type) const { return (*types_)[type]; }
  // "Proc", "0..5"; for messages.
  std::string name(ir::TypeId type) const;
  bool is_scalar(ir::TypeId type) const;   // true for types in error
  bool is_integer(ir::TypeId type) const;  // integer or range
  // Values of one type may be assigned to and compared with the other. Whether a value fits into a range or a union is
  // checked at run time.
  bool compatible(ir::TypeId a, ir::TypeId b) const;
  // The structure is the same: a reference to one may be used as a reference to the other.
  bool same_shape(ir::TypeId a, ir::TypeId b) const;
  // The bits of a value, kHuge if the number is too large; at least 1, so that it also bounds the number of parts.
  uint64_t bits(ir::TypeId type) const;
  static constexpr uint64_t kHuge = UINT64_MAX;
  // The text of a scalar value: "Idle", "Proc_2", "17", "true".
  std::string value_text(ir::TypeId type, int64_t value) const;

 private:
  struct Info {
    TypeKind kind;
    uint32_t shape;
    uint64_t bits;
    ir::TypeId slot = ir::kNoType;  // of a multiset: the type of its index, once made
  };
  ir::TypeId add(ir::Type type, TypeKind kind, const std::string& shape, uint64_t bits);
  ir::TypeId add_scalar(std::string name, std::vector<ir::Segment> segments, TypeKind kind,
                        const std::string& shape);
  std::string shape_text(ir::TypeId type) const;

  std::vector<ir::Type>* types_;
  std::vector<Info> infos_;
  std::map<std::string, uint32_t> shapes_;
  int64_t next_value_ = 2;  // 0 and 1 are false and true
};

// Multiplication and addition of sizes that saturate at TypeTable::kHuge.
uint64_t saturating_add(uint64_t a, uint64_t b);
uint64_t saturating_multiply(uint64_t a, uint64_t b);

// The number of values in a scalar's segments.
uint64_t value_count(const ir::ScalarType& scalar);

}  // namespace strata::murphi
