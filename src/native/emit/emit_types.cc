// Types: C++ structs for the unpacked state, and for each of them the functions that pack, unpack, clear, compare
// and normalise a value.
#include "native/emit/emitter.h"

namespace strata::native {

using ir::TypeId;

std::string Emitter::type_key(TypeId id) const {
  const ir::Type& type = program_.types[id];
  if (const ir::ScalarType* s = type.scalar()) {
    std::string key = s->optional ? "so" : "s";
    for (const ir::Segment& seg : s->segments) key += fmt::format("[{},{}]", seg.lo, seg.hi);
    return key;
  }
  if (const ir::ArrayType* a = type.array())
    return fmt::format("a{}:{}", ir::cardinality(scalar(a->index)), class_of(a->element));
  if (const ir::MultisetType* m = type.multiset())
    return fmt::format("m{}:{}", m->capacity, class_of(m->element));
  std::string key = "r";
  for (const ir::Field& f : type.record()->fields) key += fmt::format(":{}", class_of(f.type));
  return key;
}

bool Emitter::contains_multiset(TypeId id) const {
  const ir::Type& type = program_.types[id];
  if (type.multiset()) return true;
  if (const ir::ArrayType* a = type.array()) return contains_multiset(a->element);
  if (const ir::RecordType* r = type.record())
    for (const ir::Field& f : r->fields)
      if (contains_multiset(f.type)) return true;
  return false;
}

void Emitter::emit_types() {
  classes_.assign(program_.types.size(), UINT32_MAX);
  for (TypeId id = 1; id < program_.types.size(); ++id) emit_type(id);
}

void Emitter::emit_type(TypeId id) {
  if (classes_[id] != UINT32_MAX || id == ir::kInteger) return;
  const ir::Type& type = program_.types[id];
  if (const ir::ArrayType* a = type.array()) {
    emit_type(a->index);
    emit_type(a->element);
  }
  if (const ir::MultisetType* m = type.multiset()) emit_type(m->element);
  if (const ir::RecordType* r = type.record())
    for (const ir::Field& f : r->fields) emit_type(f.type);
  const auto [entry, is_new] =
      class_by_key_.emplace(type_key(id), static_cast<uint32_t>(class_by_key_.size()));
  classes_[id] = entry->second;
  if (!is_new) return;
  if (const ir::ScalarType* s = type.scalar()) emit_scalar_type(id, *s);
  if (const ir::ArrayType* a = type.array()) emit_array_type(id, *a);
  if (const ir::MultisetType* m = type.multiset()) emit_multiset_type(id, *m);
  if (const ir::RecordType* r = type.record()) emit_record_type(id, *r);
}

static const char* raw_type(uint64_t bits) {
  return bits <= 8 ? "u8" : bits <= 16 ? "u16" : bits <= 32 ? "u32" : "u64";
}

void Emitter::emit_scalar_type(TypeId id, const ir::ScalarType& type) {
  const uint32_t k = class_of(id);
  const uint64_t bits = ir::bits_for(ir::code_count(type));
  const int first = type.optional ? 1 : 0;
  line(0, fmt::format("using t{} = {};  // {}", k, raw_type(bits), type_key(id)));
  if (bits == 0) {
    line(0, fmt::format("static inline void pk_{0}(const t{0}&, u64*, u64) {{}}", k));
    line(0, fmt::format("static inline void up_{0}(t{0}& v, const u64*, u64) {{ v = 0; }}", k));
  } else {
    line(0,
         fmt::format("static inline void pk_{0}(const t{0}& v, u64* p, u64 o) {{ put_bits(p, o, {1}, v); }}",
                     k, bits));
    line(0,
         fmt::format(
             "static inline void up_{0}(t{0}& v, const u64* p, u64 o) {{ v = (t{0})get_bits(p, o, {1}); }}",
             k, bits));
  }
  const std::string repack = bits == 0 ? "" : fmt::format("xor_bits(p, o, {}, a ^ b); ", bits);
  line(0, fmt::format(
              "static inline void rp_{0}(const t{0}& a, const t{0}& b, u64* p, u64 o) {{ (void)a; (void)b; "
              "(void)p; (void)o; {1}}}",
              k, repack));
  line(0, fmt::format("static inline void clr_{0}(t{0}& v) {{ v = {1}; }}", k, first));
  const char* check = type.optional ? "if (!a || !b) fail(site); " : "";
  line(0, fmt::format("static inline bool eq_{0}(const t{0}& a, const t{0}& b, u32 site) {{ (void)site; "
                      "{1}return a == b; }}",
                      k, check));
  line(0, fmt::format(
              "static inline int cmp_{0}(const t{0}& a, const t{0}& b) {{ return a < b ? -1 : a > b; }}", k));
  if (type.segments.size() == 1) return;
  std::string value, code;
  uint64_t before = 0;
  for (const ir::Segment& s : type.segments) {
    const uint64_t size = static_cast<uint64_t>(s.hi - s.lo) + 1;
    value += fmt::format("if (r < {}) return (i64)r + ({}ll); ", before + size,
                         s.lo - static_cast<int64_t>(before));
    code += fmt::format("if (v >= {}ll && v <= {}ll) return (u64)(v - ({}ll)) + {}; ", s.lo, s.hi, s.lo,
                        before + static_cast<uint64_t>(first));
    before += size;
  }
  line(0, fmt::format("static inline i64 val_{}(u64 r) {{ {}return 0; }}", k, value));
  line(0, fmt::format("static inline u64 enc_{}(i64 v, u32 site) {{ {}fail(site); }}", k, code));
}

// Repacks one part of an aggregate, if it differs: looking is cheaper than packing from a few scalars on.
std::string Emitter::repack_part(TypeId type, const std::string& part, const std::string& offset) const {
  const bool look_first = ir::leaf_count(program_, type) >= 8;
  return fmt::format("{0}rp_{1}(a.{2}, b.{2}, p, o + {3});",
                     look_first ? fmt::format("if (differ(&a.{0}, &b.{0}, sizeof a.{0})) ", part) : "",
                     class_of(type), part, offset);
}

void Emitter::emit_array_type(TypeId id, const ir::ArrayType& type) {
  const uint32_t k = class_of(id), e = class_of(type.element);
  const uint64_t n = ir::cardinality(scalar(type.index)), stride = ir::type_bits(program_, type.element);
  line(0, fmt::format("struct t{} {{ t{} e[{}]; }};", k, e, n));
  const std::string each = fmt::format("for (u64 i = 0; i < {}; ++i) ", n);
  line(0,
       fmt::format(
           "static inline void pk_{0}(const t{0}& v, u64* p, u64 o) {{ {1}pk_{2}(v.e[i], p, o + i * {3}); }}",
           k, each, e, stride));
  line(0,
       fmt::format(
           "static inline void up_{0}(t{0}& v, const u64* p, u64 o) {{ {1}up_{2}(v.e[i], p, o + i * {3}); }}",
           k, each, e, stride));
  line(0, fmt::format("static inline void rp_{0}(const t{0}& a, const t{0}& b, u64* p, u64 o) {{ {1}{2} }}",
                      k, each, repack_part(type.element, "e[i]", fmt::format("i * {}", stride))));
  line(0, fmt::format("static inline void clr_{0}(t{0}& v) {{ {1}clr_{2}(v.e[i]); }}", k, each, e));
  line(0, fmt::format("static inline bool eq_{0}(const t{0}& a, const t{0}& b, u32 site) {{ {1}if "
                      "(!eq_{2}(a.e[i], b.e[i], site)) return false; return true; }}",
                      k, each, e));
  line(0, fmt::format("static inline int cmp_{0}(const t{0}& a, const t{0}& b) {{ {1}if (int c = "
                      "cmp_{2}(a.e[i], b.e[i])) return c; return 0; }}",
                      k, each, e));
  if (contains_multiset(id))
    line(0, fmt::format("static inline void norm_{0}(t{0}& v) {{ {1}norm_{2}(v.e[i]); }}", k, each, e));
}

void Emitter::emit_record_type(TypeId id, const ir::RecordType& type) {
  const uint32_t k = class_of(id);
  std::string fields, pack, unpack, repack, clear, equal, compare, normalise;
  uint64_t offset = 0;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const TypeId f = type.fields[i].type;
    const uint32_t c = class_of(f);
    fields += fmt::format("t{} f{}; ", c, i);
    pack += fmt::format("pk_{}(v.f{}, p, o + {}); ", c, i, offset);
    unpack += fmt::format("up_{}(v.f{}, p, o + {}); ", c, i, offset);
    repack += repack_part(f, fmt::format("f{}", i), std::to_string(offset)) + " ";
    clear += fmt::format("clr_{}(v.f{}); ", c, i);
    equal += fmt::format("if (!eq_{0}(a.f{1}, b.f{1}, site)) return false; ", c, i);
    compare += fmt::format("if (int c = cmp_{0}(a.f{1}, b.f{1})) return c; ", c, i);
    if (contains_multiset(f)) normalise += fmt::format("norm_{}(v.f{}); ", c, i);
    offset += ir::type_bits(program_, f);
  }
  line(0, fmt::format("struct t{} {{ {}}};", k, fields));
  line(0, fmt::format(
              "static inline void pk_{0}(const t{0}& v, u64* p, u64 o) {{ (void)v; (void)p; (void)o; {1}}}",
              k, pack));
  line(0, fmt::format(
              "static inline void up_{0}(t{0}& v, const u64* p, u64 o) {{ (void)v; (void)p; (void)o; {1}}}",
              k, unpack));
  line(0, fmt::format(
              "static inline void rp_{0}(const t{0}& a, const t{0}& b, u64* p, u64 o) {{ (void)a; (void)b; "
              "(void)p; (void)o; {1}}}",
              k, repack));
  line(0, fmt::format("static inline void clr_{0}(t{0}& v) {{ (void)v; {1}}}", k, clear));
  line(0, fmt::format("static inline bool eq_{0}(const t{0}& a, const t{0}& b, u32 site) {{ (void)a; "
                      "(void)b; (void)site; {1}return true; }}",
                      k, equal));
  line(0, fmt::format(
              "static inline int cmp_{0}(const t{0}& a, const t{0}& b) {{ (void)a; (void)b; {1}return 0; }}",
              k, compare));
  if (contains_multiset(id))
    line(0, fmt::format("static inline void norm_{0}(t{0}& v) {{ {1}}}", k, normalise));
}

// A multiset keeps a flag for each slot while a rule runs, so that slot numbers stay valid; norm_ moves the used
// slots to the front and sorts them, so that equal multisets are equal bits.
void Emitter::emit_multiset_type(TypeId id, const ir::MultisetType& type) {
  const uint32_t k = class_of(id), e = class_of(type.element);
  const uint64_t n = type.capacity, stride = ir::type_bits(program_, type.element);
  const uint64_t count_bits = ir::bits_for(n + 1);
  line(0, fmt::format("struct t{} {{ u8 used[{}]; t{} e[{}]; }};", k, n, e, n));
  const std::string each = fmt::format("for (u64 i = 0; i < {}; ++i) ", n);
  line(0, fmt::format("static inline void pk_{0}(const t{0}& v, u64* p, u64 o) {{ put_bits(p, o, {1}, "
                      "ms_count(v.used, {2})); {3}pk_{4}(v.e[i], p, o + {1} + i * {5}); }}",
                      k, count_bits, n, each, e, stride));
  line(0, fmt::format("static inline void up_{0}(t{0}& v, const u64* p, u64 o) {{ const u64 n = get_bits(p, "
                      "o, {1}); {2}{{ v.used[i] = i < n; up_{3}(v.e[i], p, o + {1} + i * {4}); }} }}",
                      k, count_bits, each, e, stride));
  line(0, fmt::format(
              "static inline void rp_{0}(const t{0}& a, const t{0}& b, u64* p, u64 o) {{ xor_bits(p, o, {1}, "
              "ms_count(a.used, {2}) ^ ms_count(b.used, {2})); {3}{4} }}",
              k, count_bits, n, each,
              repack_part(type.element, "e[i]", fmt::format("{} + i * {}", count_bits, stride))));
  line(0, fmt::format("static inline void clr_{0}(t{0}& v) {{ v = t{0}{{}}; }}", k));
  line(0, fmt::format("static void norm_{}(t{}& v) {{", k, k));
  line(1, "u64 n = 0;");
  line(1, each + "if (v.used[i]) {");
  if (contains_multiset(type.element)) line(2, fmt::format("norm_{}(v.e[i]);", e));
  line(2, fmt::format("const t{} x = v.e[i];", e));
  line(2, "u64 j = n++;");
  line(2, fmt::format("for (; j > 0 && cmp_{}(x, v.e[j - 1]) < 0; --j) v.e[j] = v.e[j - 1];", e));
  line(2, "v.e[j] = x;");
  line(1, "}");
  line(1, fmt::format("for (u64 i = 0; i < {}; ++i) {{ v.used[i] = i < n; if (i >= n) v.e[i] = t{}{{}}; }}",
                      n, e));
  line(0, "}");
  line(0, fmt::format(
              "static inline int cmp_{0}(const t{0}& a, const t{0}& b) {{ {1}{{ if (a.used[i] != b.used[i]) "
              "return a.used[i] ? 1 : -1; if (int c = cmp_{2}(a.e[i], b.e[i])) return c; }} return 0; }}",
              k, each, e));
  line(0, fmt::format("static inline bool eq_{0}(const t{0}& a, const t{0}& b, u32) {{ t{0} x = a, y = b; "
                      "norm_{0}(x); norm_{0}(y); return cmp_{0}(x, y) == 0; }}",
                      k));
}

}  // namespace strata::native
