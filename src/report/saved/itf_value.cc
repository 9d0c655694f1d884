#include "report/saved/itf_value.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>
#include <utility>

#include "base/text/is_number.h"
#include "report/saved/trace_mistake.h"

namespace strata {
namespace {

using Json = ItfValueReader::Json;

constexpr size_t kDeepest = 1000;

bool is_special(const Json& value) {
  return value.is_object() && value.size() == 1 && value.begin().key().starts_with("#");
}

Value symbol_value(std::string text) {
  Value value;
  value.kind = Value::Kind::symbol;
  value.symbol = std::move(text);
  return value;
}

Value integer_value(int64_t number) {
  Value value;
  value.kind = Value::Kind::integer;
  value.number = number;
  return value;
}

// A value in one line, as an index shows it.
std::string value_text(const Value& value) {
  if (value.members.empty() && value.kind < Value::Kind::record) return value.text();
  std::string out;
  for (const auto& [name, member] : value.members) {
    out += out.empty() ? "" : ", ";
    if (value.kind == Value::Kind::record) out += name + ": ";
    out += value_text(member);
  }
  return value.kind == Value::Kind::multiset ? "{" + out + "}" : "(" + out + ")";
}

Value big_integer(const Json& inner, const std::string& place) {
  if (!inner.is_string()) refuse(place, "#bigint must be a string of digits");
  const std::string text = inner.get<std::string>();
  if (!is_integer(text)) refuse(place, fmt::format("\"{}\" is not an integer", text));
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? integer_value(number)
                                                                  : symbol_value(text);
}

}  // namespace

Value ItfValueReader::read(const Json& json, const std::string& place, size_t depth) const {
  if (depth > kDeepest) refuse(place, fmt::format("values are nested more than {} deep", kDeepest));
  switch (json.type()) {
    case Json::value_t::null: return {};
    case Json::value_t::boolean: {
      Value value = integer_value(json.get<bool>() ? 1 : 0);
      value.kind = Value::Kind::boolean;
      return value;
    }
    case Json::value_t::string: return symbol_value(json.get<std::string>());
    case Json::value_t::number_integer: return integer_value(json.get<int64_t>());
    case Json::value_t::number_unsigned:
      return json.get<uint64_t>() > INT64_MAX ? symbol_value(json.dump())
                                              : integer_value(json.get<int64_t>());
    case Json::value_t::array:
      return list(json, place, depth, lists_are_multisets_ ? Value::Kind::multiset : Value::Kind::array);
    case Json::value_t::object:
      return is_special(json) ? special(json, place, depth) : record(json, place, depth);
    default:
      refuse(place, fmt::format("{} is not a value of a trace; numbers must be integers", json.dump()));
  }
}

Value ItfValueReader::record(const Json& json, const std::string& place, size_t depth) const {
  Value value;
  value.kind = Value::Kind::record;
  for (const auto& [name, member] : json.items())
    if (name != "#meta") value.members.emplace_back(name, read(member, at(place, name), depth + 1));
  return value;
}

Value ItfValueReader::list(const Json& json, const std::string& place, size_t depth, Value::Kind kind) const {
  if (!json.is_array()) refuse(place, "expected a list");
  Value value;
  value.kind = kind;
  for (size_t i = 0; i < json.size(); ++i)
    value.members.emplace_back(std::to_string(i), read(json[i], at(place, i), depth + 1));
  return value;
}

Value ItfValueReader::map(const Json& json, const std::string& place, size_t depth) const {
  if (!json.is_array()) refuse(place, "a #map must be a list of pairs");
  Value value;
  value.kind = Value::Kind::array;
  for (size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_array() || json[i].size() != 2) refuse(at(place, i), "a #map must be a list of pairs");
    value.members.emplace_back(value_text(read(json[i][0], at(place, i), depth + 1)),
                               read(json[i][1], at(place, i), depth + 1));
  }
  return value;
}

Value ItfValueReader::special(const Json& json, const std::string& place, size_t depth) const {
  const auto first = json.begin();
  const std::string& key = first.key();
  const Json& inner = first.value();
  const std::string here = at(place, key);
  if (key == "#bigint") return big_integer(inner, here);
  if (key == "#tup") return list(inner, here, depth, Value::Kind::array);
  if (key == "#set") return list(inner, here, depth, Value::Kind::multiset);
  if (key == "#map") return map(inner, here, depth);
  if (key == "#unserializable")
    return inner == "undefined" ? Value()
                                : symbol_value(inner.is_string() ? inner.get<std::string>() : inner.dump());
  if (key == "#meta") return record(json, place, depth);
  refuse(here, "unknown; expected #bigint, #tup, #set, #map or #unserializable");
}

}  // namespace strata
