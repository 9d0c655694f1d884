#include "model/value.h"

namespace strata {

std::string member_path(const Value& value, const std::string& path, const std::string& name) {
  switch (value.kind) {
    case Value::Kind::array: return path + "[" + name + "]";
    case Value::Kind::multiset: return path + "{" + name + "}";
    default: return path.empty() ? name : path + "." + name;
  }
}

namespace {

void collect(const Value& value, const std::string& path, std::vector<Leaf>& out) {
  switch (value.kind) {
    case Value::Kind::record:
    case Value::Kind::array:
    case Value::Kind::multiset:
      for (const auto& [name, member] : value.members) collect(member, member_path(value, path, name), out);
      return;
    default: out.push_back({path, value.text()});
  }
}

}  // namespace

std::string Value::text() const {
  switch (kind) {
    case Kind::undefined: return "Undefined";
    case Kind::integer: return std::to_string(number);
    case Kind::boolean: return number != 0 ? "true" : "false";
    case Kind::symbol: return symbol;
    default: return "";
  }
}

std::vector<Leaf> leaves(const Value& state) {
  std::vector<Leaf> out;
  collect(state, "", out);
  return out;
}

}  // namespace strata
