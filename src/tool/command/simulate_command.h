// `strata simulate MODEL`: a seeded random walk.
#pragma once

#include <functional>
#include <string>

#include "engine/trace/simulate.h"
#include "options/options.h"
#include "report/text_sink.h"

namespace strata {

// In which words a walk tells of itself; those that are empty are the usual ones.
struct SimulateWords {
  std::function<std::string(const Model&)> header;
  std::function<void(const Model&, const SimulateResult&, const TextSink&)> report;
};

// Returns the exit code.
int simulate_command(Options options, const SimulateWords& words = {});

}  // namespace strata
