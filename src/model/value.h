// A value of a model's state as users see it. Traces, JSON and ITF files consist of these.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strata {

struct Value {
  enum class Kind { undefined, integer, boolean, symbol, record, array, multiset };
  Kind kind = Kind::undefined;
  int64_t number = 0;  // integer, boolean
  std::string symbol;  // the name of an enum member or scalarset element
  // record: field names; array: index texts; multiset: "0", "1", ...
  std::vector<std::pair<std::string, Value>> members;

  // The text of a scalar: "3", "true", "Proc_1", "Undefined".
  std::string text() const;
  friend bool operator==(const Value&, const Value&) = default;
};

// Each scalar in a value with its path, for example {"cache[1].state", Invalid}. These are the lines of a Murphi trace.
struct Leaf {
  std::string path;
  std::string text;
};
std::vector<Leaf> leaves(const Value& state);
// The path of a member of the value at `path`: a.b for a record, a[b] for an array, a{b} for a multiset. The variables
// of a state are a record without a name.
std::string member_path(const Value& value, const std::string& path, const std::string& name);

}  // namespace strata
