// -D NAME=VALUE: values from the command line in place of those in the model.
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

  // The value for a constant of this scalar type, if there is one: a number of its range or the name of a member. Of
  // several the last counts.
  std::optional<int64_t> value_of(const std::string& constant, const ir::Type& type);
  // Once every constant of the program was asked for: a name that none of them has (the message lists them), or a
  // value that does not fit.
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
