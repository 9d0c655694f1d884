#include "ir/layout.h"

#include <algorithm>
#include <bit>

namespace strata::ir {

uint64_t cardinality(const ScalarType& type) {
  uint64_t count = 0;
  for (const Segment& s : type.segments)
    count += static_cast<uint64_t>(s.hi) - static_cast<uint64_t>(s.lo) + 1;
  return count;
}

uint64_t code_count(const ScalarType& type) { return cardinality(type) + (type.optional ? 1 : 0); }

std::optional<uint64_t> rank(const ScalarType& type, int64_t value) {
  uint64_t before = 0;
  for (const Segment& s : type.segments) {
    if (value >= s.lo && value <= s.hi)
      return before + (static_cast<uint64_t>(value) - static_cast<uint64_t>(s.lo));
    before += static_cast<uint64_t>(s.hi) - static_cast<uint64_t>(s.lo) + 1;
  }
  return std::nullopt;
}

int64_t value_at(const ScalarType& type, uint64_t rank) {
  for (const Segment& s : type.segments) {
    const uint64_t size = static_cast<uint64_t>(s.hi) - static_cast<uint64_t>(s.lo) + 1;
    if (rank < size) return static_cast<int64_t>(static_cast<uint64_t>(s.lo) + rank);
    rank -= size;
  }
  return 0;
}

static const Segment* segment_of(const ScalarType& type, int64_t value) {
  for (const Segment& s : type.segments)
    if (value >= s.lo && value <= s.hi) return &s;
  return nullptr;
}

std::string value_text(const ScalarType& type, int64_t value) { return scalar_value(type, value).text(); }

Value scalar_value(const ScalarType& type, int64_t value) {
  Value result;
  result.number = value;
  const Segment* s = segment_of(type, value);
  const bool named = s && (!s->names.empty() || !s->prefix.empty());
  if (!named) {
    result.kind = Value::Kind::integer;
    return result;
  }
  const uint64_t position = static_cast<uint64_t>(value) - static_cast<uint64_t>(s->lo);
  result.symbol = s->names.empty() ? s->prefix + std::to_string(position + 1) : s->names[position];
  const bool boolean = s->names.size() == 2 && s->names[0] == "false" && s->names[1] == "true";
  result.kind = boolean ? Value::Kind::boolean : Value::Kind::symbol;
  return result;
}

uint64_t bits_for(uint64_t codes) {
  return codes <= 1 ? 0 : static_cast<uint64_t>(std::bit_width(codes - 1));
}

uint64_t type_bits(const Program& program, TypeId id) {
  const Type& type = program.types[id];
  if (const ScalarType* s = type.scalar()) return bits_for(code_count(*s));
  if (const ArrayType* a = type.array())
    return cardinality(*program.types[a->index].scalar()) * type_bits(program, a->element);
  if (const MultisetType* m = type.multiset())
    return bits_for(m->capacity + 1) + m->capacity * type_bits(program, m->element);
  uint64_t bits = 0;
  for (const Field& f : type.record()->fields) bits += type_bits(program, f.type);
  return bits;
}

uint64_t state_bits(const Program& program) {
  uint64_t bits = 0;
  for (const StateVariable& v : program.state) bits += type_bits(program, v.type);
  return bits;
}

bool contains_multiset(const Program& program, TypeId id) {
  const Type& type = program.types[id];
  if (type.multiset()) return true;
  if (const ArrayType* a = type.array()) return contains_multiset(program, a->element);
  if (const RecordType* r = type.record())
    return std::any_of(r->fields.begin(), r->fields.end(),
                       [&](const Field& f) { return contains_multiset(program, f.type); });
  return false;
}

uint64_t leaf_count(const Program& program, TypeId id) {
  const Type& type = program.types[id];
  if (type.scalar()) return 1;
  if (const ArrayType* a = type.array())
    return cardinality(*program.types[a->index].scalar()) * leaf_count(program, a->element);
  if (const MultisetType* m = type.multiset()) return 1 + m->capacity * leaf_count(program, m->element);
  uint64_t leaves = 0;
  for (const Field& f : type.record()->fields) leaves += leaf_count(program, f.type);
  return leaves;
}

static int64_t step_of(const Domain& domain) { return domain.by ? domain.by->value : 1; }

uint64_t domain_size(const Program& program, const Domain& domain) {
  if (domain.type != kNoType) return cardinality(*program.types[domain.type].scalar());
  const int64_t from = domain.from->value, to = domain.to->value, by = step_of(domain);
  if (by == 0 || (by > 0 ? from > to : from < to)) return 0;
  const uint64_t span = by > 0 ? static_cast<uint64_t>(to) - static_cast<uint64_t>(from)
                               : static_cast<uint64_t>(from) - static_cast<uint64_t>(to);
  const uint64_t step = by > 0 ? static_cast<uint64_t>(by) : 0 - static_cast<uint64_t>(by);
  return span / step + 1;
}

int64_t domain_value(const Program& program, const Domain& domain, uint64_t index) {
  if (domain.type != kNoType) return value_at(*program.types[domain.type].scalar(), index);
  return static_cast<int64_t>(static_cast<uint64_t>(domain.from->value) +
                              index * static_cast<uint64_t>(step_of(domain)));
}

std::string domain_text(const Program& program, const Domain& domain, uint64_t index) {
  const int64_t value = domain_value(program, domain, index);
  if (domain.type != kNoType) return value_text(*program.types[domain.type].scalar(), value);
  return std::to_string(value);
}

uint64_t instance_count(const Program& program, const std::vector<Binding>& bindings) {
  uint64_t count = 1;
  for (const Binding& b : bindings) {
    uint64_t factor = 1;
    if (b.kind == Binding::Kind::parameter) factor = domain_size(program, b.domain);
    if (b.kind == Binding::Kind::choose) factor = program.types[b.place->type].multiset()->capacity;
    if (__builtin_mul_overflow(count, factor, &count)) return UINT64_MAX;
  }
  return count;
}

uint64_t get_bits(const uint8_t* bytes, uint64_t offset, uint64_t count) {
  uint64_t result = 0;
  for (uint64_t done = 0; done < count;) {
    const uint64_t in_byte = (offset + done) & 7;
    const uint64_t take = std::min<uint64_t>(8 - in_byte, count - done);
    const uint64_t part = (bytes[(offset + done) >> 3] >> in_byte) & ((1u << take) - 1);
    result |= part << done;
    done += take;
  }
  return result;
}

static Value decode_scalar(const ScalarType& type, const uint8_t* bytes, uint64_t offset) {
  uint64_t code = get_bits(bytes, offset, bits_for(code_count(type)));
  if (type.optional) {
    if (code == 0) return Value();
    --code;
  }
  return scalar_value(type, value_at(type, code));
}

static Value decode_array(const Program& program, const ArrayType& type, const uint8_t* bytes,
                          uint64_t offset) {
  Value result;
  result.kind = Value::Kind::array;
  const ScalarType& index = *program.types[type.index].scalar();
  const uint64_t stride = type_bits(program, type.element);
  for (uint64_t i = 0; i < cardinality(index); ++i)
    result.members.emplace_back(value_text(index, value_at(index, i)),
                                decode(program, type.element, bytes, offset + i * stride));
  return result;
}

static Value decode_multiset(const Program& program, const MultisetType& type, const uint8_t* bytes,
                             uint64_t offset) {
  Value result;
  result.kind = Value::Kind::multiset;
  const uint64_t count_bits = bits_for(type.capacity + 1);
  const uint64_t count = get_bits(bytes, offset, count_bits);
  const uint64_t stride = type_bits(program, type.element);
  for (uint64_t i = 0; i < count; ++i)
    result.members.emplace_back(std::to_string(i),
                                decode(program, type.element, bytes, offset + count_bits + i * stride));
  return result;
}

static Value decode_record(const Program& program, const RecordType& type, const uint8_t* bytes,
                           uint64_t offset) {
  Value result;
  result.kind = Value::Kind::record;
  for (const Field& f : type.fields) {
    result.members.emplace_back(f.name, decode(program, f.type, bytes, offset));
    offset += type_bits(program, f.type);
  }
  return result;
}

Value decode(const Program& program, TypeId id, const uint8_t* bytes, uint64_t offset) {
  const Type& type = program.types[id];
  if (const ScalarType* s = type.scalar()) return decode_scalar(*s, bytes, offset);
  if (const ArrayType* a = type.array()) return decode_array(program, *a, bytes, offset);
  if (const MultisetType* m = type.multiset()) return decode_multiset(program, *m, bytes, offset);
  return decode_record(program, *type.record(), bytes, offset);
}

Value decode_state(const Program& program, const uint8_t* bytes) {
  Value result;
  result.kind = Value::Kind::record;
  uint64_t offset = 0;
  for (const StateVariable& v : program.state) {
    result.members.emplace_back(v.name, decode(program, v.type, bytes, offset));
    offset += type_bits(program, v.type);
  }
  return result;
}

}  // namespace strata::ir
