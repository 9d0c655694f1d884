// Emits what chooses one state of each orbit (orbits.h): the shape of the state, and the entry points, for the host
// those of abi.h, for a device those of device/kernels/firing.cuh.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

class SymmetryEmitter {
 public:
  SymmetryEmitter(const ir::Program& program, const CppTypes& types, Text& text)
      : program_(program), types_(types), text_(text) {}

  // Whether states are reduced by symmetry at all; otherwise nothing is emitted.
  bool needed() const { return !program_.reduced.empty(); }
  void declare();
  void emit();
  void emit_for_device();

 private:
  struct Set {
    int64_t lo = 0;
    uint32_t base = 0, size = 0;
  };
  // Shapes one after the other, those that fit into a word together as one.
  class Sequence;

  void shapes();
  void number_sets();
  const Set* set_of(const ir::Segment& segment) const;
  bool mentions(ir::TypeId type) const;

  std::string shape(ir::TypeId type);
  std::string name_shape(const ir::ScalarType& type) const;
  std::string array_shape(const ir::ArrayType& type);
  std::string record_shape(const std::vector<ir::TypeId>& fields);
  std::string multiset_shape(ir::TypeId id, const ir::MultisetType& type);
  bool flat(ir::TypeId type) const;
  void leaf_masks(ir::TypeId type, uint64_t& offset, std::vector<uint64_t>& masks) const;
  void entry_points();

  const ir::Program& program_;
  const CppTypes& types_;
  Text& text_;
  std::vector<Set> sets_;
  uint32_t elements_ = 0;
  std::map<std::string, std::string> names_;  // of shapes, by their texts
  std::map<ir::TypeId, std::string> shapes_;  // their names
};

}  // namespace strata::native
