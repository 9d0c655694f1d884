// How a state is packed into bits, and how packed bits become values again. The layout is the depth-first order of
// the declarations, least significant bit first, with no padding except at the end of the last byte:
//
//   state    := variable*                              in the order of Program::state
//   scalar   := code in scalar_bits(); 0 is "undefined" where the type has it, then its values by rank
//   array    := element*                               by rank of the index
//   record   := field*
//   multiset := count in bits(capacity + 1) element*   used elements first, sorted; unused ones are all zero
//
// Code that packs (native/) and code that decodes (below) both follow this grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/program.h"
#include "model/value.h"

namespace strata::ir {

// Number of values of a scalar type, "undefined" not counted.
uint64_t cardinality(const ScalarType& type);
// Number of codes: values, and undefined where the type has it.
uint64_t code_count(const ScalarType& type);
// Position of a value among the values of the type, and back. rank() of a value outside is nullopt.
std::optional<uint64_t> rank(const ScalarType& type, int64_t value);
int64_t value_at(const ScalarType& type, uint64_t rank);
// The text of a value: a name, or a decimal number.
std::string value_text(const ScalarType& type, int64_t value);

uint64_t bits_for(uint64_t codes);  // bits to tell `codes` codes apart: bits_for(1) = 0, bits_for(5) = 3
uint64_t type_bits(const Program& program, TypeId type);
uint64_t state_bits(const Program& program);
// Number of scalars below a type (a multiset's count is one).
uint64_t leaf_count(const Program& program, TypeId type);

// Number of values of a domain with constant bounds, and the value with a given number.
uint64_t domain_size(const Program& program, const Domain& domain);
int64_t domain_value(const Program& program, const Domain& domain, uint64_t index);
std::string domain_text(const Program& program, const Domain& domain, uint64_t index);
// The number of instances of a rule or property: the product over its bindings.
uint64_t instance_count(const Program& program, const std::vector<Binding>& bindings);

// Reads `count` <= 64 bits at bit `offset`.
uint64_t get_bits(const uint8_t* bytes, uint64_t offset, uint64_t count);

Value decode(const Program& program, TypeId type, const uint8_t* bytes, uint64_t bit_offset);
Value decode_state(const Program& program, const uint8_t* bytes);
// A scalar of this type as a Value (used for printed expressions).
Value scalar_value(const ScalarType& type, int64_t value);

}  // namespace strata::ir
