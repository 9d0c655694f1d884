#include "lang/murphi/types/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace strata::murphi {
namespace {

// Limits the text of an anonymous type, which contains the texts of its parts.
constexpr size_t kLongestName = 120;

std::string shortened(std::string text) {
  if (text.size() <= kLongestName) return text;
  text.resize(kLongestName - 3);
  return text + "...";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (text.size() > kLongestName) break;
    if (!text.empty()) text += ", ";
    text += part;
  }
  return text;
}

bool overlap(const ir::ScalarType& a, const ir::ScalarType& b) {
  for (const ir::Segment& x : a.segments) {
    for (const ir::Segment& y : b.segments) {
      if (x.lo <= y.hi && y.lo <= x.hi) return true;
    }
  }
  return false;
}

uint64_t scalar_bits(const ir::ScalarType& scalar) {
  uint64_t largest = value_count(scalar);  // with "undefined" the values are 0 .. largest
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::bit_width(largest)));
}

}  // namespace

uint64_t saturating_add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? TypeTable::kHuge : sum;
}

uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? TypeTable::kHuge : product;
}

uint64_t value_count(const ir::ScalarType& scalar) {
  uint64_t count = 0;
  for (const ir::Segment& segment : scalar.segments) {
    uint64_t span = static_cast<uint64_t>(segment.hi) - static_cast<uint64_t>(segment.lo);
    count = saturating_add(count, saturating_add(span, 1));
  }
  return count;
}

TypeTable::TypeTable(std::vector<ir::Type>& types) : types_(&types) {
  types_->clear();
  ir::ScalarType integer;
  integer.segments.push_back({INT64_MIN, INT64_MAX, {}, {}});
  integer.optional = false;
  add({"integer", integer}, TypeKind::integer, "integer", 64);
  add_scalar("boolean", {{0, 1, {"false", "true"}, {}}}, TypeKind::boolean, "boolean");
}

ir::TypeId TypeTable::add(ir::Type type, TypeKind kind, const std::string& shape, uint64_t bits) {
  auto id = static_cast<ir::TypeId>(types_->size());
  type.name = shortened(std::move(type.name));
  types_->push_back(std::move(type));
  auto known = shapes_.emplace(shape, static_cast<uint32_t>(shapes_.size()));
  infos_.push_back({kind, known.first->second, std::max<uint64_t>(1, bits)});
  return id;
}

ir::TypeId TypeTable::add_scalar(std::string name, std::vector<ir::Segment> segments, TypeKind kind,
                                 const std::string& shape) {
  ir::ScalarType scalar;
  scalar.segments = std::move(segments);
  uint64_t bits = scalar_bits(scalar);
  return add({std::move(name), std::move(scalar)}, kind, shape, bits);
}

std::string TypeTable::shape_text(ir::TypeId type) const {
  return type == ir::kNoType ? "error" : std::to_string(infos_[type].shape);
}

ir::TypeId TypeTable::add_range(std::string name, int64_t low, int64_t high) {
  if (name.empty()) name = fmt::format("{}..{}", low, high);
  return add_scalar(std::move(name), {{low, high, {}, {}}}, TypeKind::range,
                    fmt::format("range {} {}", low, high));
}

ir::TypeId TypeTable::add_enum(std::string name, std::vector<std::string> members) {
  if (name.empty()) name = fmt::format("enum {{{}}}", joined(members));
  int64_t first = next_value_;
  next_value_ += static_cast<int64_t>(members.size());
  std::vector<ir::Segment> segments;
  if (!members.empty()) segments.push_back({first, next_value_ - 1, std::move(members), {}});
  std::string shape = fmt::format("enum {} {}", first, types_->size());
  return add_scalar(std::move(name), std::move(segments), TypeKind::enumerated, shape);
}

ir::TypeId TypeTable::add_scalarset(std::string name, std::string prefix, int64_t size) {
  if (name.empty()) name = fmt::format("scalarset({})", size);
  int64_t first = next_value_;
  next_value_ += size;
  return add_scalar(std::move(name), {{first, next_value_ - 1, {}, std::move(prefix)}}, TypeKind::scalarset,
                    fmt::format("scalarset {}", first));
}

ir::TypeId TypeTable::add_union(std::string name, const std::vector<ir::TypeId>& parts) {
  std::vector<ir::Segment> segments;
  std::vector<std::string> names;
  for (ir::TypeId part : parts) {
    names.push_back(this->name(part));
    for (const ir::Segment& segment : (*types_)[part].scalar()->segments) segments.push_back(segment);
  }
  if (name.empty()) name = fmt::format("union {{{}}}", joined(names));
  auto before = [](const ir::Segment& a, const ir::Segment& b) { return a.lo < b.lo; };
  auto alike = [](const ir::Segment& a, const ir::Segment& b) { return a.lo == b.lo; };
  std::sort(segments.begin(), segments.end(), before);
  segments.erase(std::unique(segments.begin(), segments.end(), alike), segments.end());
  std::string shape = "union";
  for (const ir::Segment& segment : segments) shape += fmt::format(" {}", segment.lo);
  return add_scalar(std::move(name), std::move(segments), TypeKind::union_of, shape);
}

ir::TypeId TypeTable::add_array(std::string name, ir::TypeId index, ir::TypeId element) {
  if (name.empty()) name = fmt::format("array [{}] of {}", this->name(index), this->name(element));
  uint64_t elements = index == ir::kNoType ? 1 : value_count(*(*types_)[index].scalar());
  uint64_t size = saturating_multiply(elements, bits(element));
  return add({std::move(name), ir::ArrayType{index, element}}, TypeKind::array,
             fmt::format("array {} {}", shape_text(index), shape_text(element)), size);
}

ir::TypeId TypeTable::add_record(std::string name, std::vector<ir::Field> fields) {
  std::string text = "record";
  std::string shape = "record";
  uint64_t size = 0;
  for (const ir::Field& field : fields) {
    if (text.size() <= kLongestName) text += fmt::format(" {}: {};", field.name, this->name(field.type));
    shape += fmt::format(" {} {}", field.name, shape_text(field.type));
    size = saturating_add(size, bits(field.type));
  }
  if (name.empty()) name = text + " end";
  return add({std::move(name), ir::RecordType{std::move(fields)}}, TypeKind::record, shape, size);
}

ir::TypeId TypeTable::add_multiset(std::string name, uint64_t capacity, ir::TypeId element) {
  if (name.empty()) name = fmt::format("multiset [{}] of {}", capacity, this->name(element));
  // One extra bit per slot: whether the slot is used.
  uint64_t size = saturating_multiply(capacity, saturating_add(1, bits(element)));
  return add({std::move(name), ir::MultisetType{capacity, element}}, TypeKind::multiset,
             fmt::format("multiset {} {}", capacity, shape_text(element)), size);
}

ir::TypeId TypeTable::slot_of(ir::TypeId multiset) {
  if (multiset == ir::kNoType) return ir::kNoType;
  if (infos_[multiset].slot == ir::kNoType) {
    auto last = static_cast<int64_t>((*types_)[multiset].multiset()->capacity) - 1;
    std::string shape = fmt::format("slot {}", infos_[multiset].shape);
    ir::TypeId slot = add_scalar("index of " + name(multiset), {{0, last, {}, {}}}, TypeKind::slot, shape);
    infos_[multiset].slot = slot;
  }
  return infos_[multiset].slot;
}

TypeKind TypeTable::kind(ir::TypeId type) const {
  return type == ir::kNoType ? TypeKind::error : infos_[type].kind;
}

std::string TypeTable::name(ir::TypeId type) const {
  return type == ir::kNoType ? "unknown" : (*types_)[type].name;
}

bool TypeTable::is_scalar(ir::TypeId type) const {
  return type == ir::kNoType || (*types_)[type].scalar() != nullptr;
}

bool TypeTable::is_integer(ir::TypeId type) const {
  TypeKind k = kind(type);
  return k == TypeKind::error || k == TypeKind::integer || k == TypeKind::range;
}

bool TypeTable::compatible(ir::TypeId a, ir::TypeId b) const {
  if (a == ir::kNoType || b == ir::kNoType || same_shape(a, b)) return true;
  if (is_integer(a) && is_integer(b)) return true;
  bool one_is_union = kind(a) == TypeKind::union_of || kind(b) == TypeKind::union_of;
  if (!one_is_union || !is_scalar(a) || !is_scalar(b)) return false;
  for (ir::TypeId type : {a, b}) {
    TypeKind k = kind(type);
    if (k == TypeKind::integer || k == TypeKind::range || k == TypeKind::slot) return false;
  }
  return overlap(*(*types_)[a].scalar(), *(*types_)[b].scalar());
}

bool TypeTable::same_shape(ir::TypeId a, ir::TypeId b) const {
  if (a == ir::kNoType || b == ir::kNoType) return true;
  return infos_[a].shape == infos_[b].shape;
}

uint64_t TypeTable::bits(ir::TypeId type) const { return type == ir::kNoType ? 1 : infos_[type].bits; }

std::string TypeTable::value_text(ir::TypeId type, int64_t value) const {
  if (type == ir::kNoType) return "unknown";
  for (const ir::Segment& segment : (*types_)[type].scalar()->segments) {
    if (value < segment.lo || value > segment.hi) continue;
    auto offset = static_cast<uint64_t>(value) - static_cast<uint64_t>(segment.lo);
    if (!segment.names.empty()) return segment.names[offset];
    if (!segment.prefix.empty()) return segment.prefix + std::to_string(offset + 1);
    break;
  }
  return std::to_string(value);
}

}  // namespace strata::murphi
