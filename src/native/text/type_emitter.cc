#include "native/text/type_emitter.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "native/text/union_codes.h"

namespace strata::native {

using ir::TypeId;

void TypeEmitter::emit() {
  for (const TypeId id : types_.examples()) {
    const ir::Type& type = program_.types[id];
    if (const ir::ScalarType* s = type.scalar()) scalar(id, *s);
    if (const ir::ArrayType* a = type.array()) array(id, *a);
    if (const ir::MultisetType* m = type.multiset()) multiset(id, *m);
    if (const ir::RecordType* r = type.record()) record(id, *r);
  }
}

void TypeEmitter::pack(uint32_t k, const std::string& body) {
  text_.line(0,
             fmt::format("static inline void pack_{0}(const t{0}& v, u64* words, u64 at) {{ {1}}}", k, body));
}

void TypeEmitter::unpack(uint32_t k, const std::string& body) {
  text_.line(
      0, fmt::format("static inline void unpack_{0}(t{0}& v, const u64* words, u64 at) {{ {1}}}", k, body));
}

void TypeEmitter::repack(uint32_t k, const std::string& body) {
  text_.line(
      0,
      fmt::format("static inline void repack_{0}(const t{0}& a, const t{0}& b, u64* words, u64 at) {{ {1}}}",
                  k, body));
}

void TypeEmitter::clear(uint32_t k, const std::string& body) {
  text_.line(0, fmt::format("static inline void clear_{0}(t{0}& v) {{ {1}}}", k, body));
}

void TypeEmitter::equal(uint32_t k, const std::string& body) {
  text_.line(0, fmt::format("static inline bool equal_{0}(const t{0}& a, const t{0}& b) {{ {1}}}", k, body));
}

void TypeEmitter::compare(uint32_t k, const std::string& body) {
  text_.line(0, fmt::format("static inline int compare_{0}(const t{0}& a, const t{0}& b) {{ {1}}}", k, body));
}

void TypeEmitter::normalise(uint32_t k, const std::string& body) {
  text_.line(0, fmt::format("static inline void normalise_{0}(t{0}& v) {{ {1}}}", k, body));
}

// ---- Scalars

void TypeEmitter::scalar(TypeId id, const ir::ScalarType& type) {
  const uint32_t k = types_.number(id);
  const uint64_t bits = ir::bits_for(ir::code_count(type));
  text_.line(0, fmt::format("using t{} = {};  // {}", k, raw_type(bits), types_.key(id)));
  if (bits == 0) {
    text_.line(0, fmt::format("static inline void pack_{0}(const t{0}&, u64*, u64) {{}}", k));
    text_.line(0, fmt::format("static inline void unpack_{0}(t{0}& v, const u64*, u64) {{ v = 0; }}", k));
  } else {
    pack(k, fmt::format("put_bits(words, at, {}, v); ", bits));
    unpack(k, fmt::format("v = (t{})get_bits(words, at, {}); ", k, bits));
  }
  repack(k, bits == 0 ? std::string() : fmt::format("xor_bits(words, at, {}, a ^ b); ", bits));
  clear(k, fmt::format("v = {}; ", type.optional ? 1 : 0));
  equal(k, "return a == b; ");
  compare(k, "return a < b ? -1 : a > b; ");
  if (type.segments.size() > 1) emit_union_codes(k, type, target_, text_);
}

// ---- Aggregates

// Repacks one part of an aggregate, if it differs: looking is cheaper than packing from a few scalars on.
std::string TypeEmitter::repack_part(TypeId type, const std::string& part, const std::string& offset) const {
  const bool look_first = ir::leaf_count(program_, type) >= 8;
  return fmt::format("{0}repack_{1}(a.{2}, b.{2}, words, at + {3}); ",
                     look_first ? fmt::format("if (differ(a.{0}, b.{0})) ", part) : "", types_.number(type),
                     part, offset);
}

void TypeEmitter::array(TypeId id, const ir::ArrayType& type) {
  const uint32_t k = types_.number(id), e = types_.number(type.element);
  const uint64_t n = ir::cardinality(types_.scalar(type.index));
  const uint64_t stride = ir::type_bits(program_, type.element);
  text_.line(0, fmt::format("struct t{} {{ t{} e[{}]; }};", k, e, n));
  const std::string each = fmt::format("for (u64 i = 0; i < {}; ++i) ", n);
  pack(k, each + fmt::format("pack_{}(v.e[i], words, at + i * {}); ", e, stride));
  unpack(k, each + fmt::format("unpack_{}(v.e[i], words, at + i * {}); ", e, stride));
  repack(k, each + repack_part(type.element, "e[i]", fmt::format("i * {}", stride)));
  clear(k, each + fmt::format("clear_{}(v.e[i]); ", e));
  equal(k, each + fmt::format("if (!equal_{}(a.e[i], b.e[i])) return false; return true; ", e));
  compare(k, each + fmt::format("if (int c = compare_{}(a.e[i], b.e[i])) return c; return 0; ", e));
  if (types_.contains_multiset(id)) normalise(k, each + fmt::format("normalise_{}(v.e[i]); ", e));
}

void TypeEmitter::record(TypeId id, const ir::RecordType& type) {
  const uint32_t k = types_.number(id);
  std::string fields, packs, unpacks, repacks, clears, equals, compares, normalises;
  uint64_t offset = 0;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const TypeId f = type.fields[i].type;
    const uint32_t c = types_.number(f);
    fields += fmt::format("t{} f{}; ", c, i);
    packs += fmt::format("pack_{}(v.f{}, words, at + {}); ", c, i, offset);
    unpacks += fmt::format("unpack_{}(v.f{}, words, at + {}); ", c, i, offset);
    repacks += repack_part(f, fmt::format("f{}", i), std::to_string(offset));
    clears += fmt::format("clear_{}(v.f{}); ", c, i);
    equals += fmt::format("if (!equal_{0}(a.f{1}, b.f{1})) return false; ", c, i);
    compares += fmt::format("if (int c = compare_{0}(a.f{1}, b.f{1})) return c; ", c, i);
    if (types_.contains_multiset(f)) normalises += fmt::format("normalise_{}(v.f{}); ", c, i);
    offset += ir::type_bits(program_, f);
  }
  text_.line(0, fmt::format("struct t{} {{ {}}};", k, fields));
  pack(k, packs);
  unpack(k, unpacks);
  repack(k, repacks);
  clear(k, clears);
  equal(k, equals + "return true; ");
  compare(k, compares + "return 0; ");
  if (types_.contains_multiset(id)) normalise(k, normalises);
}

// A multiset keeps a flag for each slot while a rule runs, so that slot numbers stay valid.
void TypeEmitter::multiset(TypeId id, const ir::MultisetType& type) {
  const uint32_t k = types_.number(id), e = types_.number(type.element);
  const uint64_t n = type.capacity, stride = ir::type_bits(program_, type.element);
  const uint64_t count_bits = ir::bits_for(n + 1);
  text_.line(0, fmt::format("struct t{} {{ u8 used[{}]; t{} e[{}]; }};", k, n, e, n));
  const std::string each = fmt::format("for (u64 i = 0; i < {}; ++i) ", n);
  pack(k, fmt::format("put_bits(words, at, {0}, used_slots(v.used, {1})); {2}pack_{3}(v.e[i], words, at + "
                      "{0} + i * {4}); ",
                      count_bits, n, each, e, stride));
  unpack(k, fmt::format("const u64 n = get_bits(words, at, {0}); {1}{{ v.used[i] = i < n; "
                        "unpack_{2}(v.e[i], words, at + {0} + i * {3}); }} ",
                        count_bits, each, e, stride));
  repack(k, fmt::format("xor_bits(words, at, {0}, used_slots(a.used, {1}) ^ used_slots(b.used, {1})); {2}{3}",
                        count_bits, n, each,
                        repack_part(type.element, "e[i]", fmt::format("{} + i * {}", count_bits, stride))));
  clear(k, fmt::format("v = t{}{{}}; ", k));
  normalise_multiset(k, type);
  compare(k, fmt::format("{}{{ if (a.used[i] != b.used[i]) return a.used[i] ? 1 : -1; "
                         "if (int c = compare_{}(a.e[i], b.e[i])) return c; }} return 0; ",
                         each, e));
  text_.line(0,
             fmt::format("static inline bool equal_{0}(const t{0}& a, const t{0}& b) {{ t{0} x = a, y = b; "
                         "normalise_{0}(x); normalise_{0}(y); return compare_{0}(x, y) == 0; }}",
                         k));
}

// Moves the used slots to the front and sorts them by insertion.
void TypeEmitter::normalise_multiset(uint32_t k, const ir::MultisetType& type) {
  const uint32_t e = types_.number(type.element);
  const std::string each = fmt::format("for (u64 i = 0; i < {}; ++i) ", type.capacity);
  text_.line(0, fmt::format("static void normalise_{0}(t{0}& v) {{", k));
  text_.line(1, "u64 n = 0;");
  text_.line(1, each + "if (v.used[i]) {");
  if (types_.contains_multiset(type.element)) text_.line(2, fmt::format("normalise_{}(v.e[i]);", e));
  text_.line(2, fmt::format("const t{} x = v.e[i];", e));
  text_.line(2, "u64 j = n++;");
  text_.line(2, fmt::format("for (; j > 0 && compare_{}(x, v.e[j - 1]) < 0; --j) v.e[j] = v.e[j - 1];", e));
  text_.line(2, "v.e[j] = x;");
  text_.line(1, "}");
  text_.line(1, each + fmt::format("{{ v.used[i] = i < n; if (i >= n) v.e[i] = t{}{{}}; }}", e));
  text_.line(0, "}");
}

}  // namespace strata::native
