// -D NAME=VALUE: values from the command line that replace the constants of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "ir/program.h"

namespace strata::lang {

class Defines {
 public:
  explicit Defines(const std::vector<std::pair<std::string, std::string>>& defines);

  // The value given for a constant of this scalar type, if any: a number in its range or the name of a member. If a
  // name is given several times, the last value counts.
  std::optional<int64_t> value_of(const std::string& constant, const ir::Type& type);
  // To be called when value_of() was called for every constant of the program. An error if a name belongs to no
  // constant (the message lists the constants) or a value does not fit.
  Status status(const ir::Program& program) const;

 private:
  struct Define {
    std::string name;
    std::string value;
    bool used = false;
  };
  std::vector<Define> defines_;
  std::string problem_;  // the first value that does not fit
};

}  // namespace strata::lang
