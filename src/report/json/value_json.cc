#include "report/json/value_json.h"

namespace strata {

nlohmann::ordered_json to_json(const Value& value) {
  using Json = nlohmann::ordered_json;
  switch (value.kind) {
    case Value::Kind::undefined: return nullptr;
    case Value::Kind::integer: return value.number;
    case Value::Kind::boolean: return value.number != 0;
    case Value::Kind::symbol: return value.symbol;
    case Value::Kind::record:
    case Value::Kind::array: {
      // Appended without a lookup: finding a name takes time linear in the number of names.
      Json object = Json::object();
      auto& members = object.get_ref<Json::object_t&>();
      members.reserve(value.members.size());
      for (const auto& [name, member] : value.members) members.emplace_back(name, to_json(member));
      return object;
    }
    case Value::Kind::multiset: {
      Json list = Json::array();
      for (const auto& [slot, member] : value.members) list.push_back(to_json(member));
      return list;
    }
  }
  return nullptr;
}

}  // namespace strata
