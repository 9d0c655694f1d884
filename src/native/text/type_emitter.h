// The C++ types for the unpacked state, and for each type K the functions on its values:
//
//   pack_K, unpack_K      pack and unpack through a bit offset
//   repack_K(a, b)        turns packed bits of b into those of a, where they differ
//   clear_K               sets every scalar to its first value
//   equal_K, compare_K    whether two values are equal (undefined scalars are an error), and their order
//   normalise_K           where K contains a multiset: sorts it, so that equal multisets are equal bits
//   value_K, encode_K     where K is a union (union_codes.h)
#pragma once

#include <cstdint>
#include <string>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

class TypeEmitter {
 public:
  TypeEmitter(const ir::Program& program, const CppTypes& types, const Target& target, Text& text)
      : program_(program), types_(types), target_(target), text_(text) {}
  void emit();

 private:
  void scalar(ir::TypeId id, const ir::ScalarType& type);
  void array(ir::TypeId id, const ir::ArrayType& type);
  void record(ir::TypeId id, const ir::RecordType& type);
  void multiset(ir::TypeId id, const ir::MultisetType& type);
  void normalise_multiset(uint32_t k, const ir::MultisetType& type);
  std::string repack_part(ir::TypeId type, const std::string& part, const std::string& offset) const;

  // The functions of type k, by their bodies: statements, each with a space behind it.
  void pack(uint32_t k, const std::string& body);
  void unpack(uint32_t k, const std::string& body);
  void repack(uint32_t k, const std::string& body);
  void clear(uint32_t k, const std::string& body);
  void equal(uint32_t k, const std::string& body);
  void compare(uint32_t k, const std::string& body);
  void normalise(uint32_t k, const std::string& body);

  const ir::Program& program_;
  const CppTypes& types_;
  const Target& target_;
  Text& text_;
};

}  // namespace strata::native
