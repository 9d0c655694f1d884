#include "native/symmetry/symmetry_emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/layout.h"
#include "ir/symmetry/reduction.h"

namespace strata::embedded {
extern const char* const kPermutationsText;
extern const char* const kScalarShapesText;
extern const char* const kShapesText;
extern const char* const kRowsText;
extern const char* const kKeysText;
extern const char* const kElementListsText;
extern const char* const kTieSearchText;
extern const char* const kOrbitsText;
}  // namespace strata::embedded

namespace strata::native {

constexpr const char* kCanonicalHead = "STRATA_LOCAL void canonical(u8* states, u64 n)";
constexpr const char* kSuccessorsHead = "STRATA_LOCAL void successors(StrataSuccessors* c)";
constexpr const char* kPermuteHead = "STRATA_LOCAL void permute(const u8* state, const u8* to, u8* out)";
constexpr uint64_t kWordBits = 64;
// Templates for all shapes: measured on models with states of hundreds of bytes.
constexpr size_t kCompileFactor = 2;

void SymmetryEmitter::declare() {
  if (!needed()) return;
  for (const char* head : {kCanonicalHead, kSuccessorsHead, kPermuteHead})
    text_.line(0, head + std::string(";"));
}

void SymmetryEmitter::emit() {
  if (!needed()) return;
  const size_t begin = text_.size();
  shapes();
  entry_points();
  text_.end_unit(begin, kCompileFactor);
}

void SymmetryEmitter::emit_for_device() {
  shapes();
  const auto entry = [&](const char* head, const char* call) {
    text_.line(0, fmt::format("{}(u64* state) {{", head));
    text_.line(1, "u64 p[StateOrbits::kWords + 1], q[StateOrbits::kWords + 1];");
    text_.line(1, "copy_words(state, p, StateOrbits::kWords);");
    text_.line(1, "p[StateOrbits::kWords] = 0;");
    text_.line(1, "double automorphisms;");
    text_.line(1, fmt::format("const u64* found = {};", call));
    text_.line(1, "if (found == nullptr) return 0;");
    text_.line(1, "if (found != p) copy_words(q, state, StateOrbits::kWords);");
    text_.line(1, "return StateOrbits::order() / automorphisms;");
    text_.line(0, "}");
  };
  entry("static double quick_representative", "StateOrbits::quick(p, q, automorphisms)");
  entry("STRATA_SELDOM static double slow_representative", "StateOrbits::slow(p, q, automorphisms)");
  entry("STRATA_SELDOM static double representative", "StateOrbits::whole(p, q, automorphisms)");
}

void SymmetryEmitter::shapes() {
  number_sets();
  for (const char* part :
       {embedded::kPermutationsText, embedded::kScalarShapesText, embedded::kShapesText, embedded::kRowsText,
        embedded::kKeysText, embedded::kElementListsText, embedded::kTieSearchText, embedded::kOrbitsText})
    text_.append(part);
  std::vector<ir::TypeId> variables;
  for (const ir::StateVariable& v : program_.state) variables.push_back(v.type);
  const std::string state = record_shape(variables);
  std::string sizes;
  for (const Set& set : sets_) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", set.size);
  text_.line(0, fmt::format("using StateOrbits = Orbits<{}, Sets<{}>>;", state, sizes));
}

void SymmetryEmitter::entry_points() {
  const uint64_t bytes = std::max<uint64_t>(1, (ir::state_bits(program_) + 7) / 8);
  text_.line(0, kCanonicalHead + std::string(" {"));
  text_.line(1, fmt::format("for (u64 i = 0; i < n; ++i, states += {}) {{", bytes));
  text_.line(2, "u64 p[StateOrbits::kWords + 1], q[StateOrbits::kWords + 1];");
  text_.line(2, "load(states, p);");
  text_.line(2, "const u64* found = StateOrbits::canonical(p, q);");
  text_.line(2, fmt::format("if (found != p) __builtin_memcpy(states, found, {});", bytes));
  text_.line(1, "}");
  text_.line(0, "}");
  text_.line(0, kSuccessorsHead + std::string(" {"));
  text_.line(1, "StateOrbits::Parent parent;");
  text_.line(1, "u64 i = 0;");
  text_.line(1, "for (u64 k = 0; k < c->parent_count; ++k) {");
  text_.line(2, fmt::format("load(c->parents + k * {}, parent.p);", bytes));
  text_.line(2, "parent.learn();");
  text_.line(2, "c->orbit_sizes[k] = StateOrbits::order() / parent.automorphisms;");
  text_.line(2, "for (; i < c->count && c->parent_of[i] == k; ++i) {");
  text_.line(3, "u64 s[StateOrbits::kWords + 1], q[StateOrbits::kWords + 1];");
  text_.line(3, fmt::format("load(c->states + i * {}, s);", bytes));
  text_.line(3, "const u64* found = parent.successor(s, q);");
  text_.line(3, fmt::format("if (found != s) __builtin_memcpy(c->states + i * {0}, found, {0});", bytes));
  text_.line(2, "}");
  text_.line(1, "}");
  text_.line(0, "}");
  text_.line(0, kPermuteHead + std::string(" {"));
  text_.line(1, "u64 p[StateOrbits::kWords + 1], q[StateOrbits::kWords + 1];");
  text_.line(1, "load(state, p);");
  text_.line(1, "Element numbers[StateOrbits::kElements + 1] = {};");
  text_.line(1, "__builtin_memcpy(numbers, to, StateOrbits::kElements);");
  text_.line(1, "StateOrbits::permute(p, numbers, q);");
  text_.line(1, fmt::format("__builtin_memcpy(out, q, {});", bytes));
  text_.line(0, "}");
}

// ---- Sets

void SymmetryEmitter::number_sets() {
  for (const uint32_t number : program_.reduced) {
    const ir::Scalarset& scalarset = program_.scalarsets[number];
    const auto size = static_cast<uint32_t>(scalarset.size());
    sets_.push_back({scalarset.lo, elements_, size});
    elements_ += size;
  }
}

const SymmetryEmitter::Set* SymmetryEmitter::set_of(const ir::Segment& segment) const {
  for (const Set& set : sets_)
    if (set.lo == segment.lo && !segment.prefix.empty()) return &set;
  return nullptr;
}

bool SymmetryEmitter::mentions(ir::TypeId id) const {
  return std::any_of(program_.reduced.begin(), program_.reduced.end(), [&](uint32_t scalarset) {
    return ir::mentions(program_, id, program_.scalarsets[scalarset]);
  });
}

// As kFlat of the shape is.
bool SymmetryEmitter::flat(ir::TypeId id) const {
  if (ir::type_bits(program_, id) > kWordBits) return false;
  if (!mentions(id)) return true;
  const ir::Type& type = program_.types[id];
  if (type.scalar()) return true;
  if (const ir::ArrayType* a = type.array()) return !mentions(a->index) && flat(a->element);
  if (type.multiset()) return false;
  const std::vector<ir::Field>& fields = type.record()->fields;
  return std::all_of(fields.begin(), fields.end(), [&](const ir::Field& f) { return flat(f.type); });
}

// ---- Shapes

class SymmetryEmitter::Sequence {
 public:
  void add_plain(uint64_t bits) {
    if (plain_ + bits > kWordBits && word_bits_ + plain_ > 0) end_word();
    plain_ += bits;
    if (plain_ > kWordBits) end_word();
  }
  void add_flat(const std::string& shape, uint64_t bits) {
    if (word_bits_ + plain_ + bits > kWordBits) end_word();
    end_plain();
    add_to(word_, shape);
    word_bits_ += bits;
    ++word_parts_;
  }
  void add_large(const std::string& shape) {
    end_word();
    add_to(text_, shape);
  }
  std::string finish() {
    end_word();
    return fmt::format("Record<{}>", text_);
  }

 private:
  static void add_to(std::string& list, const std::string& shape) {
    if (!list.empty()) list += ", ";
    list += shape;
  }
  void end_plain() {
    if (plain_ == 0) return;
    add_to(word_, fmt::format("Plain<{}>", plain_));
    word_bits_ += plain_;
    ++word_parts_;
    plain_ = 0;
  }
  void end_word() {
    end_plain();
    if (word_parts_ != 0) add_to(text_, word_parts_ == 1 ? word_ : fmt::format("Record<{}>", word_));
    word_.clear();
    word_bits_ = word_parts_ = 0;
  }

  std::string text_, word_;
  uint64_t plain_ = 0, word_bits_ = 0, word_parts_ = 0;
};

std::string SymmetryEmitter::shape(ir::TypeId id) {
  if (const auto known = shapes_.find(id); known != shapes_.end()) return known->second;
  const ir::Type& type = program_.types[id];
  std::string text;
  if (!mentions(id))
    text = fmt::format("Plain<{}>", ir::type_bits(program_, id));
  else if (const ir::ScalarType* s = type.scalar())
    text = name_shape(*s);
  else if (const ir::ArrayType* a = type.array())
    text = array_shape(*a);
  else if (const ir::MultisetType* m = type.multiset())
    text = multiset_shape(id, *m);
  else {
    std::vector<ir::TypeId> fields;
    for (const ir::Field& f : type.record()->fields) fields.push_back(f.type);
    text = record_shape(fields);
  }
  const auto [entry, fresh] = names_.emplace(text, fmt::format("shape{}", names_.size()));
  if (fresh) text_.line(0, fmt::format("using {} = {};", entry->second, text));
  shapes_.emplace(id, entry->second);
  return entry->second;
}

std::string SymmetryEmitter::name_shape(const ir::ScalarType& type) const {
  std::string runs;
  uint64_t first = type.optional ? 1 : 0;
  for (const ir::Segment& segment : type.segments) {
    if (const Set* set = set_of(segment))
      runs += fmt::format(", Run<{}, {}, {}>", first, set->base, set->size);
    first += static_cast<uint64_t>(segment.hi - segment.lo) + 1;
  }
  return fmt::format("Name<{}, {}{}>", ir::bits_for(ir::code_count(type)), elements_, runs);
}

std::string SymmetryEmitter::array_shape(const ir::ArrayType& type) {
  const ir::ScalarType& index = *program_.types[type.index].scalar();
  const std::string element = shape(type.element);
  if (!mentions(type.index)) return fmt::format("Array<{}, {}>", element, ir::cardinality(index));
  std::string parts;
  for (const ir::Segment& segment : index.segments) {
    if (const Set* set = set_of(segment))
      parts += fmt::format(", Rows<{}, {}>", set->base, set->size);
    else
      parts += fmt::format(", OtherRows<{}>", segment.hi - segment.lo + 1);
  }
  return fmt::format("ByElement<{}{}>", element, parts);
}

std::string SymmetryEmitter::record_shape(const std::vector<ir::TypeId>& fields) {
  Sequence sequence;
  for (const ir::TypeId field : fields) {
    const uint64_t bits = ir::type_bits(program_, field);
    if (!mentions(field))
      sequence.add_plain(bits);
    else if (flat(field))
      sequence.add_flat(shape(field), bits);
    else
      sequence.add_large(shape(field));
  }
  return sequence.finish();
}

// The bits of the scalar that each bit belongs to.
void SymmetryEmitter::leaf_masks(ir::TypeId id, uint64_t& offset, std::vector<uint64_t>& masks) const {
  const ir::Type& type = program_.types[id];
  if (type.scalar()) {
    const uint64_t bits = ir::type_bits(program_, id);
    if (bits == 0) return;
    const uint64_t ones = bits == kWordBits ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    masks.insert(masks.end(), bits, ones << offset);
    offset += bits;
  } else if (const ir::ArrayType* a = type.array()) {
    const uint64_t n = ir::cardinality(*program_.types[a->index].scalar());
    for (uint64_t i = 0; i < n; ++i) leaf_masks(a->element, offset, masks);
  } else {
    for (const ir::Field& f : type.record()->fields) leaf_masks(f.type, offset, masks);
  }
}

// The order of slots is that of normalise_N. In a word, what differs first is the scalar with the lowest bit
// that differs.
std::string SymmetryEmitter::multiset_shape(ir::TypeId id, const ir::MultisetType& type) {
  const std::string element = shape(type.element);
  const std::string order = fmt::format("Order{}", names_.size());
  text_.line(0, fmt::format("struct {} {{", order));
  if (flat(type.element)) {
    std::vector<uint64_t> masks;
    uint64_t offset = 0;
    leaf_masks(type.element, offset, masks);
    std::string list;
    for (const uint64_t mask : masks) list += fmt::format("{}{}ull", list.empty() ? "" : ", ", mask);
    text_.line(1, "static bool less(u64 a, u64 b) {");
    text_.line(2, fmt::format("static constexpr u64 masks[] = {{{}}};", list));
    text_.line(2, "if (a == b) return false;");
    text_.line(2, "const u64 mask = masks[lowest_one(a ^ b)];");
    text_.line(2, "return (a & mask) < (b & mask);");
    text_.line(1, "}");
  } else {
    const uint32_t k = types_.number(id);
    text_.line(1, "static void normalise(u64* q, u64 offset) {");
    text_.line(2, fmt::format("t{0} was, is; unpack_{0}(was, q, offset); is = was;", k));
    text_.line(2, fmt::format("normalise_{0}(is); repack_{0}(is, was, q, offset);", k));
    text_.line(1, "}");
  }
  text_.line(0, "};");
  return fmt::format("Multiset<{}, {}, {}, {}>", element, type.capacity, ir::bits_for(type.capacity + 1),
                     order);
}

}  // namespace strata::native
