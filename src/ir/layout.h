// How a state is packed into bits, and how values are read back. The layout follows the declarations depth first,
// least significant bit first, without padding except at the end of the last byte:
//
//   state    := variable*                              in the order of Program::state
//   scalar   := code in scalar_bits(); 0 is "undefined" where the type has it, then its values by rank
//   array    := element*                               by rank of the index
//   record   := field*
//   multiset := count in bits(capacity + 1) element*   used elements first, sorted; unused ones are all zero
//
// The generated code that packs (native/) and the decoder below both follow this grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/program.h"
#include "model/value.h"

namespace strata::ir {

// Number of values of a scalar type, without "undefined".
uint64_t cardinality(const ScalarType& type);
// Number of codes: the values, and "undefined" if the type has it.
uint64_t code_count(const ScalarType& type);
// The position of a value among the values of its type (nullopt: not a value of the type), and back.
std::optional<uint64_t> rank(const ScalarType& type, int64_t value);
int64_t value_at(const ScalarType& type, uint64_t rank);
// The text of a value: a name, or a decimal number.
std::string value_text(const ScalarType& type, int64_t value);

uint64_t bits_for(uint64_t codes);  // the number of bits of `codes` codes: bits_for(1) = 0, bits_for(5) = 3
uint64_t type_bits(const Program& program, TypeId type);
uint64_t state_bits(const Program& program);
// Number of scalars in a value of the type; the count of a multiset is one of them.
uint64_t leaf_count(const Program& program, TypeId type);
bool contains_multiset(const Program& program, TypeId type);

// The number of values of a domain with constant bounds, and the value with a given number.
uint64_t domain_size(const Program& program, const Domain& domain);
int64_t domain_value(const Program& program, const Domain& domain, uint64_t index);
std::string domain_text(const Program& program, const Domain& domain, uint64_t index);
// The number of instances of a rule or property: the product over its bindings.
uint64_t instance_count(const Program& program, const std::vector<Binding>& bindings);

// Reads `count` <= 64 bits at bit `offset`.
uint64_t get_bits(const uint8_t* bytes, uint64_t offset, uint64_t count);

Value decode(const Program& program, TypeId type, const uint8_t* bytes, uint64_t bit_offset);
Value decode_state(const Program& program, const uint8_t* bytes);
// A scalar of this type as a Value, for printing expressions.
Value scalar_value(const ScalarType& type, int64_t value);

}  // namespace strata::ir
