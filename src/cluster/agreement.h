// Checks that ranks have the same build of the program, the same model and the same options before they search
// together. Hosts may have different versions installed, or different files of the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "cluster/transport/transport.h"

namespace strata::cluster {

struct Trait {
  std::string what;   // its name in messages: "the model"
  std::string value;  // compared byte by byte, and shown if it is short text
};

// A hash as the value of a trait.
std::string hash_value(uint64_t high, uint64_t low = 0);

// A hash of the program's own file: the same on all hosts where the same build is installed.
Result<std::string> program_hash();

// A collective: ok on all ranks, or the same error on all, which names the first host that differs from rank 0, and the
// trait in which it differs.
Status agree(Transport& transport, const std::vector<Trait>& traits);

}  // namespace strata::cluster
