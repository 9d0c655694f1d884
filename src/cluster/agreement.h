// What ranks must have in common before they search together: the same build of the program, the same model,
// the same options. Ranks on different hosts may find another version installed, or a model file that
// somebody has changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "cluster/transport/transport.h"

namespace strata::cluster {

struct Trait {
  std::string what;   // "the model", as the message names it
  std::string value;  // compared byte by byte, and shown if it is short text
};

// A hash as the value of a trait.
std::string hash_value(uint64_t high, uint64_t low = 0);

// A hash of the program's own file: the same on all hosts where the same build is installed.
Result<std::string> program_hash();

// A collective: ok on all ranks, or the same error on all, which names the first host that differs from rank
// 0, and in what.
Status agree(Transport& transport, const std::vector<Trait>& traits);

}  // namespace strata::cluster
