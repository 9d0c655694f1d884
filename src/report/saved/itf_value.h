// The values of a saved trace (ITF): JSON as Value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/value.h"

namespace strata {

// Values of one file. A value that no trace has is a TraceMistake.
class ItfValueReader {
 public:
  using Json = nlohmann::ordered_json;

  // Strata's lists are multisets; those of other tools are sequences.
  explicit ItfValueReader(bool lists_are_multisets) : lists_are_multisets_(lists_are_multisets) {}

  // `place` is where the value is in the file, for messages.
  Value read(const Json& json, const std::string& place, size_t depth = 0) const;
  // A record of all members but #meta.
  Value record(const Json& json, const std::string& place, size_t depth = 0) const;

 private:
  Value list(const Json& json, const std::string& place, size_t depth, Value::Kind kind) const;
  Value map(const Json& json, const std::string& place, size_t depth) const;
  Value special(const Json& json, const std::string& place, size_t depth) const;

  const bool lists_are_multisets_;
};

}  // namespace strata
