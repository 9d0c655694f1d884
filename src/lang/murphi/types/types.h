// The types of one Murphi model. They live in ir::Program::types; this table adds what only the checker needs: which
// kind of type each is, which types count as the same, and how many bits a value takes.
//
// Invariants
//  1. Enums and scalarsets have disjoint values, all above those of boolean, so the values of a union's parts never
//     collide. Ranges keep their integers.
//  2. Two types have the same shape exactly when they are built alike (range bounds, field names, elements ...);
//     enums and scalarsets have the shape of no other type.
//  3. kNoType stands for a type that is in error; it is compatible with everything, so that one mistake gives one
//     message.
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
  bool is_scalar(ir::TypeId type) const;   // error types count as scalar
  bool is_integer(ir::TypeId type) const;  // integer or range
  // Values of the one may be assigned to and compared with the other. Whether a range or a union part fits is
  // decided by the value, when the model runs.
  bool compatible(ir::TypeId a, ir::TypeId b) const;
  // Built alike: a reference to the one may be used as a reference to the other.
  bool same_shape(ir::TypeId a, ir::TypeId b) const;
  // How many bits a value takes, kHuge when that does not fit; at least 1, so that it also bounds the number of parts.
  uint64_t bits(ir::TypeId type) const;
  static constexpr uint64_t kHuge = UINT64_MAX;
  // The text of a scalar value: "Idle", "Proc_2", "17", "true".
  std::string value_text(ir::TypeId type, int64_t value) const;

 private:
  struct Info {
    TypeKind kind;
    uint32_t shape;
    uint64_t bits;
    ir::TypeId slot = ir::kNoType;  // multiset: the type of its index, once made
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

// Products and sums of sizes that stop at TypeTable::kHuge instead of wrapping around.
uint64_t saturating_add(uint64_t a, uint64_t b);
uint64_t saturating_multiply(uint64_t a, uint64_t b);

// How many values lie in a scalar's segments.
uint64_t value_count(const ir::ScalarType& scalar);

}  // namespace strata::murphi
