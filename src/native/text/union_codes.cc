#include "native/text/union_codes.h"

#include <fmt/format.h>

#include <string>

namespace strata::native {

void emit_union_codes(uint32_t k, const ir::ScalarType& type, const Target& target, Text& text) {
  std::string value, code;
  uint64_t before = 0;
  for (const ir::Segment& s : type.segments) {
    const uint64_t size = static_cast<uint64_t>(s.hi - s.lo) + 1;
    value += fmt::format("if (r < {}) return (i64)r + ({}ll); ", before + size,
                         s.lo - static_cast<int64_t>(before));
    code += fmt::format("if (v >= {}ll && v <= {}ll) return (u64)(v - ({}ll)) + {}; ", s.lo, s.hi, s.lo,
                        before + (type.optional ? 1 : 0));
    before += size;
  }
  text.line(0, fmt::format("static inline i64 value_{}(u64 r) {{ {}return 0; }}", k, value));
  // After a failure on a device: the code of the first value.
  text.line(0, fmt::format("static inline u64 encode_{}(i64 v, {} site) {{ {}fail(site, v); return {}; }}", k,
                           target.site_type(), code, target.is_device() && type.optional ? 1 : 0));
}

}  // namespace strata::native
