#include "ir/interpret/evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/layout.h"

namespace strata::ir {
namespace {

constexpr size_t kRoom = 8;  // bytes behind the bits of a value

void set_bits(Bits& bits, uint64_t offset, uint64_t count, uint64_t value) {
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = offset + i;
    const auto bit = static_cast<uint8_t>(1u << (at & 7));
    bits[at >> 3] = static_cast<uint8_t>((value >> i & 1) != 0 ? bits[at >> 3] | bit : bits[at >> 3] & ~bit);
  }
}

void copy_bits(const Bits& from, uint64_t from_at, Bits& to, uint64_t to_at, uint64_t count) {
  for (uint64_t done = 0; done < count; done += 64) {
    const uint64_t part = std::min<uint64_t>(64, count - done);
    set_bits(to, to_at + done, part, get_bits(from.data(), from_at + done, part));
  }
}

}  // namespace

Evaluator::Evaluator(const Program& program, Bits& state, const std::vector<Local>& locals)
    : program_(program), state_(state) {
  uint64_t offset = 0;
  for (const StateVariable& variable : program.state) {
    offsets_.push_back(offset);
    offset += type_bits(program, variable.type);
  }
  frames_.push_back(new_frame(locals));
}

Bits Evaluator::zeros(TypeId type) const { return Bits((type_bits(program_, type) + 7) / 8 + kRoom); }

Evaluator::Frame Evaluator::new_frame(const std::vector<Local>& locals) const {
  Frame frame{&locals, std::vector<Cell>(locals.size()), nullptr, Scalar()};
  for (size_t i = 0; i < locals.size(); ++i)
    if (locals[i].kind == Local::Kind::variable) frame.cells[i] = zeros(locals[i].type);
  return frame;
}

// Instances are numbered so that the innermost parameter changes first.
bool Evaluator::bind(const std::vector<Binding>& bindings, uint64_t instance) {
  std::vector<uint64_t> places(bindings.size());
  for (size_t i = bindings.size(); i-- > 0;) {
    const Binding& b = bindings[i];
    if (b.kind != Binding::Kind::parameter && b.kind != Binding::Kind::choose) continue;
    const uint64_t size = b.kind == Binding::Kind::parameter
                              ? domain_size(program_, b.domain)
                              : program_.types[b.place->type].multiset()->capacity;
    places[i] = instance % size;
    instance /= size;
  }
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding& b = bindings[i];
    Cell& cell = frames_.back().cells[b.local];
    switch (b.kind) {
      case Binding::Kind::parameter: cell = Scalar(domain_value(program_, b.domain, places[i])); break;
      case Binding::Kind::alias_place: cell = spot(*b.place); break;
      case Binding::Kind::alias_value:
        if (is_aggregate(b.value->type))
          cell = aggregate(*b.value);
        else
          cell = scalar(*b.value);
        break;
      case Binding::Kind::choose:
        if (places[i] >= used(spot(*b.place))) return false;
        cell = Scalar(static_cast<int64_t>(places[i]));
        break;
    }
  }
  return true;
}

// ---- Places

const Scalar* Evaluator::named_scalar(const Place& p) const {
  if (p.root != Place::Root::local || !p.path.empty()) return nullptr;
  return std::get_if<Scalar>(&frames_.back().cells[p.id]);
}

Spot Evaluator::root(const Place& p) {
  if (p.root == Place::Root::state) return {&state_, offsets_[p.id], program_.state[p.id].type};
  if (p.root == Place::Root::local) {
    Frame& frame = frames_.back();
    Cell& cell = frame.cells[p.id];
    if (const Spot* reference = std::get_if<Spot>(&cell)) return *reference;
    return {std::get_if<Bits>(&cell), 0, (*frame.locals)[p.id].type};
  }
  temporaries_.push_back(aggregate(*p.value));
  return {&temporaries_.back(), 0, p.value->type};
}

Spot Evaluator::spot(const Place& p) {
  Spot at = root(p);
  for (const Selector& selector : p.path) at = select(at, selector, p);
  return at;
}

Spot Evaluator::select(Spot from, const Selector& selector, const Place& p) {
  const Type& type = program_.types[from.type];
  if (selector.index == nullptr) {
    const std::vector<Field>& fields = type.record()->fields;
    for (uint32_t i = 0; i < selector.field; ++i) from.offset += type_bits(program_, fields[i].type);
    from.type = fields[selector.field].type;
    return from;
  }
  const int64_t index = defined(*selector.index);
  if (type.multiset() != nullptr) {
    if (index < 0 || static_cast<uint64_t>(index) >= used(from))
      throw Failed{fmt::format("no such element in multiset {}", p.text)};
    return element(from, static_cast<uint64_t>(index));
  }
  const ArrayType& array = *type.array();
  const std::optional<uint64_t> place = rank(scalar_type(array.index), index);
  if (!place)
    throw Failed{fmt::format("index {} is not in {} in {}", value_text(index, array.index),
                             domain_text(array.index), p.text)};
  return {from.bits, from.offset + *place * type_bits(program_, array.element), array.element};
}

Scalar Evaluator::load(const Spot& at) const {
  note_read(at);
  const ScalarType& type = scalar_type(at.type);
  const uint64_t code = get_bits(at.bits->data(), at.offset, bits_for(code_count(type)));
  if (!type.optional) return value_at(type, code);
  return code == 0 ? Scalar() : Scalar(value_at(type, code - 1));
}

void Evaluator::store(const Spot& at, Scalar value, const std::string& target) {
  const ScalarType& type = scalar_type(at.type);
  uint64_t code = 0;
  if (value) {
    const std::optional<uint64_t> number = rank(type, *value);
    if (!number) fail_range(*value, at.type, target);
    code = *number + (type.optional ? 1 : 0);
  }
  set_bits(*at.bits, at.offset, bits_for(code_count(type)), code);
}

Bits Evaluator::load_bits(const Spot& at) const {
  note_read(at);
  Bits bits = zeros(at.type);
  copy_bits(*at.bits, at.offset, bits, 0, type_bits(program_, at.type));
  return bits;
}

void Evaluator::store_bits(const Spot& at, const Bits& value) {
  copy_bits(value, 0, *at.bits, at.offset, type_bits(program_, at.type));
}

// Gives each scalar its least value; a multiset becomes empty.
void Evaluator::clear(const Spot& at) {
  const Type& type = program_.types[at.type];
  if (const ScalarType* s = type.scalar()) return store(at, value_at(*s, 0), "");
  if (type.multiset() != nullptr) return store_bits(at, zeros(at.type));
  if (const ArrayType* array = type.array()) {
    for (uint64_t i = 0; i < cardinality(scalar_type(array->index)); ++i)
      clear({at.bits, at.offset + i * type_bits(program_, array->element), array->element});
    return;
  }
  uint64_t offset = at.offset;
  for (const Field& field : type.record()->fields) {
    clear({at.bits, offset, field.type});
    offset += type_bits(program_, field.type);
  }
}

// ---- Multisets

uint64_t Evaluator::used(const Spot& multiset) const {
  return get_bits(multiset.bits->data(), multiset.offset,
                  bits_for(program_.types[multiset.type].multiset()->capacity + 1));
}

void Evaluator::set_used(const Spot& multiset, uint64_t count) {
  set_bits(*multiset.bits, multiset.offset, bits_for(program_.types[multiset.type].multiset()->capacity + 1),
           count);
}

Spot Evaluator::element(const Spot& multiset, uint64_t slot) const {
  const MultisetType& type = *program_.types[multiset.type].multiset();
  return {multiset.bits,
          multiset.offset + bits_for(type.capacity + 1) + slot * type_bits(program_, type.element),
          type.element};
}

// The order in which the elements of a multiset are kept: by their scalars, from the first.
int Evaluator::compare(const Spot& a, const Spot& b) const {
  const Type& type = program_.types[a.type];
  if (const ScalarType* s = type.scalar()) {
    const uint64_t bits = bits_for(code_count(*s));
    const uint64_t x = get_bits(a.bits->data(), a.offset, bits), y = get_bits(b.bits->data(), b.offset, bits);
    return x < y ? -1 : x > y;
  }
  if (const ArrayType* array = type.array()) {
    const uint64_t stride = type_bits(program_, array->element);
    for (uint64_t i = 0; i < cardinality(scalar_type(array->index)); ++i)
      if (const int c = compare({a.bits, a.offset + i * stride, array->element},
                                {b.bits, b.offset + i * stride, array->element}))
        return c;
    return 0;
  }
  if (type.multiset() != nullptr) {
    const uint64_t n = used(a), m = used(b);
    for (uint64_t i = 0; i < n && i < m; ++i)
      if (const int c = compare(element(a, i), element(b, i))) return c;
    return n > m ? -1 : n < m;
  }
  uint64_t offset = 0;
  for (const Field& field : type.record()->fields) {
    if (const int c =
            compare({a.bits, a.offset + offset, field.type}, {b.bits, b.offset + offset, field.type}))
      return c;
    offset += type_bits(program_, field.type);
  }
  return 0;
}

void Evaluator::add_element(const Spot& multiset, const Stmt& s) {
  const MultisetType& type = *program_.types[multiset.type].multiset();
  temporaries_.push_back(zeros(type.element));
  const Spot fresh{&temporaries_.back(), 0, type.element};
  if (is_aggregate(type.element))
    store_bits(fresh, aggregate(*s.value));
  else
    store(fresh, scalar(*s.value), s.place->text);
  uint64_t slot = used(multiset);
  if (slot == type.capacity) throw Failed{fmt::format("multiset {} is full", s.place->text)};
  set_used(multiset, slot + 1);
  for (; slot > 0 && compare(fresh, element(multiset, slot - 1)) < 0; --slot)
    store_bits(element(multiset, slot), load_bits(element(multiset, slot - 1)));
  store_bits(element(multiset, slot), *fresh.bits);
}

void Evaluator::remove_element(const Spot& multiset, uint64_t slot) {
  const uint64_t count = used(multiset);
  for (; slot + 1 < count; ++slot)
    store_bits(element(multiset, slot), load_bits(element(multiset, slot + 1)));
  store_bits(element(multiset, slot), zeros(program_.types[multiset.type].multiset()->element));
  set_used(multiset, count - 1);
}

// ---- Values in words

std::string Evaluator::value_text(int64_t value, TypeId like) const {
  const Segment& segment = scalar_type(like).segments.front();
  if (segment.names.empty() && segment.prefix.empty()) return std::to_string(value);
  for (const Type& type : program_.types)
    if (type.scalar() != nullptr && rank(*type.scalar(), value))
      if (const Value named = scalar_value(*type.scalar(), value); named.kind != Value::Kind::integer)
        return named.text();
  return std::to_string(value);
}

std::string Evaluator::domain_text(TypeId type) const {
  const Segment& s = scalar_type(type).segments.front();
  return s.names.empty() && s.prefix.empty() ? fmt::format("{}..{}", s.lo, s.hi) : program_.types[type].name;
}

void Evaluator::fail_range(int64_t value, TypeId type, const std::string& target) const {
  throw Failed{fmt::format("{} is not in {} for {}", value_text(value, type), domain_text(type), target)};
}

Value Evaluator::value(const Expr& e) {
  if (is_aggregate(e.type)) return decode(program_, e.type, aggregate(e).data(), 0);
  const Scalar result = scalar(e);
  return result ? scalar_value(scalar_type(e.type), *result) : Value();
}

}  // namespace strata::ir
