#include "ir/rounds/round_value.h"

#include <algorithm>

namespace strata::ir {

bool RoundValue::fixed() const {
  if (!fields.empty())
    return std::all_of(fields.begin(), fields.end(), [](const RoundValue& f) { return f.fixed(); });
  return kind == ValueKind::undefined || kind == ValueKind::constant || kind == ValueKind::invariant;
}

bool RoundValue::has_stale() const {
  if (!fields.empty())
    return std::any_of(fields.begin(), fields.end(), [](const RoundValue& f) { return f.has_stale(); });
  return kind == ValueKind::stale;
}

std::string RoundValue::text() const {
  if (!fields.empty()) {
    std::string all = "{";
    for (const RoundValue& field : fields) all += field.text() + ",";
    return all + "}";
  }
  switch (kind) {
    case ValueKind::undefined: return "undefined";
    case ValueKind::constant: return key;
    case ValueKind::own: return "own";
    case ValueKind::invariant: return "<" + key + ">";
    case ValueKind::varying: return "varying";
    case ValueKind::stale: return "stale";
  }
  return "";
}

RoundValue filled(const Program& program, TypeId type, ValueKind kind, const std::string& key) {
  const bool keyed = kind == ValueKind::invariant;
  if (type == kNoType || program.types[type].record() == nullptr) return {kind, keyed ? key : "", {}};
  const std::vector<Field>& fields = program.types[type].record()->fields;
  RoundValue value{kind, keyed ? key : "", {}};
  for (size_t i = 0; i < fields.size(); ++i)
    value.fields.push_back(filled(program, fields[i].type, kind, key + "." + std::to_string(i)));
  return value;
}

RoundValue join(const RoundValue& a, const RoundValue& b) {
  if (a == b) return a;
  if (!a.fields.empty() && a.fields.size() == b.fields.size()) {
    RoundValue result = a;
    for (size_t i = 0; i < a.fields.size(); ++i) result.fields[i] = join(a.fields[i], b.fields[i]);
    return result;
  }
  if (a.has_stale() || b.has_stale()) return {ValueKind::stale, "", {}};
  return RoundValue::varying();
}

bool may_meet(const RoundPath& a, const RoundPath& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].is_field != b[i].is_field) return true;
    if (a[i].is_field) {
      if (a[i].field != b[i].field) return false;
      continue;
    }
    const RoundValue &x = a[i].index, &y = b[i].index;
    if (x.is(ValueKind::own) && y.is(ValueKind::own)) return false;
    if (x.is(ValueKind::constant) && y.is(ValueKind::constant) && x.key != y.key) return false;
  }
  return true;
}

bool has_own_step(const RoundPath& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const RoundStep& s) { return !s.is_field && s.index.is(ValueKind::own); });
}

RoundValue part_of(const RoundValue& value, const RoundPath& path) {
  RoundValue part = value;
  for (const RoundStep& step : path) {
    if (step.is_field && step.field < part.fields.size()) {
      RoundValue field = part.fields[step.field];
      part = std::move(field);
    } else if (part.is(ValueKind::invariant)) {
      const bool known = step.is_field || step.index.fixed();
      part = known ? RoundValue::invariant(part.key + (step.is_field ? "." + std::to_string(step.field)
                                                                     : "[" + step.index.text() + "]"))
                   : RoundValue::varying();
    } else if (part.is(ValueKind::constant) || part.is(ValueKind::own)) {
      part = RoundValue::varying();
    }
  }
  return part;
}

void replace_part(RoundValue& value, const RoundPath& path, const RoundValue& part, size_t from) {
  if (from == path.size()) {
    value = part;
    return;
  }
  const RoundStep& step = path[from];
  if (step.is_field && step.field < value.fields.size())
    return replace_part(value.fields[step.field], path, part, from + 1);
  // One element of an array or multiset, or a field of such an element.
  const bool kept =
      value.is(ValueKind::stale) || (value.is(ValueKind::undefined) && part.is(ValueKind::undefined));
  if (!kept) value = part.has_stale() ? RoundValue{ValueKind::stale, "", {}} : RoundValue::varying();
}

}  // namespace strata::ir
