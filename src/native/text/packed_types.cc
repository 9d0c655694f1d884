#include "native/text/packed_types.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "native/text/union_codes.h"

namespace strata::native {

using ir::TypeId;

void PackedTypes::emit() {
  for (const TypeId id : types_.examples()) {
    const ir::Type& type = program_.types[id];
    if (const ir::ScalarType* s = type.scalar()) scalar(id, *s);
    if (const ir::ArrayType* a = type.array()) array(id, *a);
    if (const ir::MultisetType* m = type.multiset()) multiset(id, *m);
    if (const ir::RecordType* r = type.record()) record(id, *r);
  }
}

void PackedTypes::clear(uint32_t k, const std::string& body) {
  line(fmt::format("static inline void clear_{0}(p{0} v) {{ {1}}}", k, body));
}

void PackedTypes::compare(uint32_t k, const std::string& body) {
  line(fmt::format("static inline int compare_{0}(const p{0}& a, const p{0}& b) {{ {1}}}", k, body));
}

void PackedTypes::scalar(TypeId id, const ir::ScalarType& type) {
  const uint32_t k = types_.number(id);
  const uint64_t bits = ir::type_bits(program_, id);
  line(fmt::format("using t{} = {};  // {}", k, raw_type(bits), types_.key(id)));
  line(fmt::format("using p{0} = ScalarPlace<t{0}, {1}>;", k, bits));
  line(fmt::format("using h{} = PackedValue<{}>;", k, bits));
  line(fmt::format("static inline void pack_{0}(t{0} v, u64* words, u64) {{ words[0] = v; }}", k));
  clear(k, fmt::format("v = (t{})({}); ", k, type.optional ? 1 : 0));
  line(fmt::format("static inline int compare_{0}(t{0} a, t{0} b) {{ return a < b ? -1 : a > b; }}", k));
  if (type.segments.size() > 1) emit_union_codes(k, type, target_, text_);
}

void PackedTypes::aggregate(TypeId id, const std::string& base, const std::string& members) {
  const uint32_t k = types_.number(id);
  line(fmt::format("struct t{} : PackedValue<{}> {{}};", k, ir::type_bits(program_, id)));
  line(fmt::format("using h{0} = t{0};", k));
  line(fmt::format("struct p{0} : {1} {{ using Base = {1}; using Base::Base; using Base::operator=; {2}}};",
                   k, base, members));
  line(fmt::format(
      "static inline bool equal_{0}(const p{0}& a, const p{0}& b) {{ return equal_places(a, b); }}", k));
}

void PackedTypes::array(TypeId id, const ir::ArrayType& type) {
  const uint32_t k = types_.number(id), e = types_.number(type.element);
  const uint64_t n = ir::cardinality(types_.scalar(type.index));
  aggregate(id, fmt::format("PackedPlace<t{}, {}>", k, ir::type_bits(program_, id)),
            fmt::format("p{} e(u64 i) const {{ return {{words, at + i * {}}}; }} ", e,
                        ir::type_bits(program_, type.element)));
  const std::string each = fmt::format("for (u64 i = 0; i < {}; ++i) ", n);
  clear(k, each + fmt::format("clear_{}(v.e(i)); ", e));
  compare(k, each + fmt::format("if (int c = compare_{}(a.e(i), b.e(i))) return c; return 0; ", e));
}

void PackedTypes::record(TypeId id, const ir::RecordType& type) {
  const uint32_t k = types_.number(id);
  std::string members, clears, compares;
  uint64_t offset = 0;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const TypeId f = type.fields[i].type;
    const uint32_t c = types_.number(f);
    members += fmt::format("p{} f{}() const {{ return {{words, at + {}}}; }} ", c, i, offset);
    clears += fmt::format("clear_{}(v.f{}()); ", c, i);
    compares += fmt::format("if (int c = compare_{0}(a.f{1}(), b.f{1}())) return c; ", c, i);
    offset += ir::type_bits(program_, f);
  }
  aggregate(id, fmt::format("PackedPlace<t{}, {}>", k, ir::type_bits(program_, id)), members);
  clear(k, clears);
  compare(k, compares + "return 0; ");
}

void PackedTypes::multiset(TypeId id, const ir::MultisetType& type) {
  const uint32_t k = types_.number(id), e = types_.number(type.element);
  aggregate(id,
            fmt::format("PackedMultiset<t{}, {}, p{}, {}, {}>", k, ir::type_bits(program_, id), e,
                        ir::bits_for(type.capacity + 1), ir::type_bits(program_, type.element)),
            "");
  clear(k, fmt::format("v = t{}{{}}; ", k));
  line(fmt::format(
      "static inline void insert_{0}(p{0} m, const t{1}& v) {{ insert_element(m, v, [](const auto& "
      "a, const auto& b) {{ return compare_{1}(a, b); }}); }}",
      k, e));
  line(fmt::format("static inline void remove_{0}(p{0} m, u64 slot) {{ remove_element(m, slot, t{1}{{}}); }}",
                   k, e));
  // As normalise_K of the unpacked form sorts them: a slot with an element comes before one without.
  compare(
      k, fmt::format("const u64 n = a.count(), m = b.count(); for (u64 i = 0; i < n && i < m; ++i) if (int c "
                     "= compare_{}(a.e(i), b.e(i))) return c; return n > m ? -1 : n < m; ",
                     e));
}

}  // namespace strata::native
