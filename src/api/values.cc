#include <algorithm>

#include "api/run.h"
#include "api/strata.h"
#include "model/value.h"

namespace strata::api {
namespace {

// For the functions that both have.
strata::Value private_value(const Value& value) {
  strata::Value out;
  out.kind = static_cast<strata::Value::Kind>(value.kind);
  out.number = value.number;
  out.symbol = value.symbol;
  for (const auto& [name, member] : value.members) out.members.emplace_back(name, private_value(member));
  return out;
}

}  // namespace

Value public_value(const strata::Value& value) {
  Value out;
  out.kind = static_cast<Value::Kind>(value.kind);
  out.number = value.number;
  out.symbol = value.symbol;
  for (const auto& [name, member] : value.members) out.members.push_back({name, public_value(member)});
  return out;
}

std::string Value::text() const {
  strata::Value scalar;
  scalar.kind = static_cast<strata::Value::Kind>(kind);
  scalar.number = number;
  scalar.symbol = symbol;
  return scalar.text();
}

const Value* Value::find(const std::string& name) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

std::vector<std::pair<std::string, std::string>> Value::scalars() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (Leaf& leaf : leaves(private_value(*this)))
    out.emplace_back(std::move(leaf.path), std::move(leaf.text));
  return out;
}

}  // namespace strata::api
