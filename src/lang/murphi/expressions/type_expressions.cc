#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "lang/common/limits.h"
#include "lang/murphi/expressions/expressions.h"

namespace strata::murphi {
namespace {

constexpr int64_t kMaximumScalarset = int64_t{1} << 31;

ir::TypeId lower_type_name(Context& context, const TypeExpr& type) {
  const Symbol* symbol = context.find(type.text, type.position, "type");
  if (symbol == nullptr || symbol->kind == Symbol::Kind::broken) return ir::kNoType;
  if (symbol->kind == Symbol::Kind::type) return symbol->type;
  context.error(type.position, fmt::format("'{}' is not a type", type.text));
  return ir::kNoType;
}

ir::TypeId lower_range(Context& context, const TypeExpr& type, const std::string& name) {
  std::optional<int64_t> low = lower_constant_integer(context, *type.low, "the lower bound of a range");
  std::optional<int64_t> high = lower_constant_integer(context, *type.high, "the upper bound of a range");
  if (!low || !high) return ir::kNoType;
  if (*low > *high) {
    context.error(
        type.position,
        fmt::format("the range {}..{} is empty: its lower bound is above its upper bound", *low, *high));
    return ir::kNoType;
  }
  // "Undefined" takes one more value, and the number of values must fit into 63 bits.
  if (static_cast<uint64_t>(*high) - static_cast<uint64_t>(*low) > static_cast<uint64_t>(INT64_MAX) - 2) {
    context.error(type.position, fmt::format("the range {}..{} has too many values", *low, *high));
    return ir::kNoType;
  }
  // Loops and codes compute with values slightly beyond the bounds.
  constexpr int64_t kMost = int64_t{1} << 62;
  if (*low < -kMost || *high > kMost) {
    context.error(type.position,
                  fmt::format("the range {}..{} goes beyond {}..{}", *low, *high, -kMost, kMost));
    return ir::kNoType;
  }
  bool written = name.empty() && !type.low->source.empty() && !type.high->source.empty();
  return context.types.add_range(written ? type.low->source + ".." + type.high->source : name, *low, *high);
}

ir::TypeId lower_enum(Context& context, const TypeExpr& type, const std::string& name) {
  if (type.members.empty()) {
    context.error(type.position, "an enum needs at least one member");
    return ir::kNoType;
  }
  std::vector<std::string> names;
  for (const auto& member : type.members) names.push_back(member.first);
  ir::TypeId id = context.types.add_enum(name, std::move(names));
  int64_t value = context.types[id].scalar()->segments[0].lo;
  for (const auto& [member, position] : type.members) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::constant;
    symbol.position = position;
    symbol.type = id;
    symbol.value = value++;
    context.declare(member, symbol);
  }
  return id;
}

ir::TypeId lower_scalarset(Context& context, const TypeExpr& type, const std::string& name) {
  std::optional<int64_t> size = lower_constant_integer(context, *type.low, "the size of a scalarset");
  if (!size) return ir::kNoType;
  if (*size < 1 || *size > kMaximumScalarset) {
    context.error(type.low->start,
                  fmt::format("the size of a scalarset must be between 1 and {}, but it is {}",
                              kMaximumScalarset, *size));
    return ir::kNoType;
  }
  const ir::TypeId id = context.types.add_scalarset(name, (name.empty() ? "Scalarset" : name) + "_", *size);
  const ir::Segment& values = context.types[id].scalar()->segments[0];
  context.program.scalarsets.push_back({context.types.name(id), values.lo, values.hi, type.position});
  return id;
}

ir::TypeId lower_union(Context& context, const TypeExpr& type, const std::string& name) {
  if (type.parts.empty()) {
    context.error(type.position, "a union needs at least one part");
    return ir::kNoType;
  }
  std::vector<ir::TypeId> parts;
  bool good = true;
  for (const TypePtr& part : type.parts) {
    ir::TypeId id = lower_type(context, *part);
    TypeKind kind = context.types.kind(id);
    bool fits = kind == TypeKind::enumerated || kind == TypeKind::scalarset || kind == TypeKind::union_of ||
                kind == TypeKind::boolean;
    if (!fits && kind != TypeKind::error) {
      context.error(part->position,
                    fmt::format("a union is made of enums and scalarsets, but this part has type {}",
                                context.types.name(id)));
    }
    good = good && fits;
    parts.push_back(id);
  }
  return good ? context.types.add_union(name, parts) : ir::kNoType;
}

ir::TypeId checked_size(Context& context, ir::TypeId id, SourcePosition position) {
  std::optional<std::string> problem = too_large("a value of this type", context.types.bits(id));
  if (!problem) return id;
  context.error(position, *problem);
  return ir::kNoType;
}

ir::TypeId lower_array(Context& context, const TypeExpr& type, const std::string& name) {
  ir::TypeId index = lower_type(context, *type.index);
  bool scalar = require_scalar_type(context, index, type.index->position, "the index type of an array");
  ir::TypeId element = lower_type(context, *type.element);
  if (!scalar || index == ir::kNoType || element == ir::kNoType) return ir::kNoType;
  return checked_size(context, context.types.add_array(name, index, element), type.position);
}

void record_fields(Context& context, const TypeExpr& type, ir::TypeId id) {
  if (context.symbols == nullptr) return;
  for (uint32_t i = 0; i < type.fields.size(); ++i) {
    const ir::TypeId field = context.types[id].record()->fields[i].type;
    context.symbols->declare_field(id, i,
                                   {lang::SymbolKind::field, type.fields[i].name, type.fields[i].position,
                                    field, context.types.name(field)});
  }
}

ir::TypeId lower_record(Context& context, const TypeExpr& type, const std::string& name) {
  std::vector<ir::Field> fields;
  std::unordered_map<std::string, uint32_t> lines;
  SharedTypes types;
  bool good = true;
  for (const FieldDecl& field : type.fields) {
    ir::TypeId id = types.lower(context, field.type);
    good = good && id != ir::kNoType;
    auto [earlier, fresh] = lines.emplace(field.name, field.position.line);
    if (!fresh) {
      context.error(field.position, fmt::format("the record has a field '{}' already, in line {}", field.name,
                                                earlier->second));
    }
    fields.push_back({field.name, id});
  }
  if (!good) return ir::kNoType;
  const ir::TypeId id = context.types.add_record(name, std::move(fields));
  record_fields(context, type, id);
  return checked_size(context, id, type.position);
}

ir::TypeId lower_multiset_type(Context& context, const TypeExpr& type, const std::string& name) {
  std::optional<int64_t> capacity = lower_constant_integer(context, *type.low, "the size of a multiset");
  ir::TypeId element = lower_type(context, *type.element);
  if (!capacity || element == ir::kNoType) return ir::kNoType;
  if (*capacity < 1) {
    context.error(type.low->start,
                  fmt::format("the size of a multiset must be positive, but it is {}", *capacity));
    return ir::kNoType;
  }
  ir::TypeId id = context.types.add_multiset(name, static_cast<uint64_t>(*capacity), element);
  return checked_size(context, id, type.position);
}

}  // namespace

std::optional<std::string> too_large(const char* subject, uint64_t bits) {
  if (bits <= lang::kMaximumStateBits) return std::nullopt;
  std::string count = bits == TypeTable::kHuge ? "more than 2^64" : std::to_string(bits);
  return fmt::format("{} would take {} bits; at most {} are possible", subject, count,
                     lang::kMaximumStateBits);
}

bool require_scalar_type(Context& context, ir::TypeId type, SourcePosition position, const char* what) {
  if (context.types.is_scalar(type)) return true;
  context.error(position, fmt::format("{} must be a range, boolean, enum, scalarset or union, not {}", what,
                                      context.types.name(type)));
  return false;
}

ir::TypeId SharedTypes::lower(Context& context, const std::shared_ptr<TypeExpr>& type) {
  if (type.get() != last_) {
    last_ = type.get();
    last_type_ = lower_type(context, *type);
  }
  return last_type_;
}

ir::TypeId lower_type(Context& context, const TypeExpr& type, const std::string& name) {
  switch (type.kind) {
    case TypeExpr::Kind::name: return lower_type_name(context, type);
    case TypeExpr::Kind::range: return lower_range(context, type, name);
    case TypeExpr::Kind::enumerated: return lower_enum(context, type, name);
    case TypeExpr::Kind::scalarset: return lower_scalarset(context, type, name);
    case TypeExpr::Kind::union_of: return lower_union(context, type, name);
    case TypeExpr::Kind::array: return lower_array(context, type, name);
    case TypeExpr::Kind::record: return lower_record(context, type, name);
    case TypeExpr::Kind::multiset: return lower_multiset_type(context, type, name);
    case TypeExpr::Kind::real: break;
  }
  context.error(type.position, "real numbers are not supported");
  return ir::kNoType;
}

}  // namespace strata::murphi
