#include "native/text/cpp_types.h"

#include <fmt/format.h>

#include "ir/layout.h"

namespace strata::native {

using ir::TypeId;

constexpr uint32_t kUnassigned = UINT32_MAX;

std::string literal(int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807ll - 1)";
  return value < 0 ? fmt::format("({}ll)", value) : fmt::format("{}ll", value);
}

std::string member_name(const ir::Program& program, size_t variable) {
  std::string name = fmt::format("v{}", variable);
  if (!program.state[variable].name.empty()) name += "_";
  for (const char c : program.state[variable].name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || name.back() != '_') name += is_plain ? c : '_';
  }
  return name;
}

const char* raw_type(uint64_t bits) {
  return bits <= 8 ? "u8" : bits <= 16 ? "u16" : bits <= 32 ? "u32" : "u64";
}

CppTypes::CppTypes(const ir::Program& program)
    : program_(program), numbers_(program.types.size(), kUnassigned) {
  std::map<std::string, uint32_t> number_by_key;
  for (TypeId id = 1; id < program.types.size(); ++id) assign(id, number_by_key);
}

void CppTypes::assign(TypeId id, std::map<std::string, uint32_t>& number_by_key) {
  if (numbers_[id] != kUnassigned || id == ir::kInteger) return;
  const ir::Type& type = program_.types[id];
  if (const ir::ArrayType* a = type.array()) {
    assign(a->index, number_by_key);
    assign(a->element, number_by_key);
  }
  if (const ir::MultisetType* m = type.multiset()) assign(m->element, number_by_key);
  if (const ir::RecordType* r = type.record())
    for (const ir::Field& f : r->fields) assign(f.type, number_by_key);
  const auto [entry, is_first] = number_by_key.emplace(key(id), static_cast<uint32_t>(examples_.size()));
  numbers_[id] = entry->second;
  if (is_first) examples_.push_back(id);
}

std::string CppTypes::name(TypeId id) const { return fmt::format("t{}", number(id)); }

std::string CppTypes::key(TypeId id) const {
  const ir::Type& type = program_.types[id];
  if (const ir::ScalarType* s = type.scalar()) {
    std::string key = s->optional ? "so" : "s";
    for (const ir::Segment& seg : s->segments) key += fmt::format("[{},{}]", seg.lo, seg.hi);
    return key;
  }
  if (const ir::ArrayType* a = type.array())
    return fmt::format("a{}:{}", ir::cardinality(scalar(a->index)), number(a->element));
  if (const ir::MultisetType* m = type.multiset())
    return fmt::format("m{}:{}", m->capacity, number(m->element));
  std::string key = "r";
  for (const ir::Field& f : type.record()->fields) key += fmt::format(":{}", number(f.type));
  return key;
}

bool CppTypes::is_aggregate(TypeId id) const {
  return id != ir::kInteger && program_.types[id].scalar() == nullptr;
}

}  // namespace strata::native
