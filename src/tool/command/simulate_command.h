// `strata simulate MODEL`: a seeded random walk.
#pragma once

#include <functional>
#include <string>

#include "engine/trace/simulate.h"
#include "options/options.h"
#include "report/text_sink.h"

namespace strata {

// Replacements for the texts of a walk; an empty function means the usual text.
struct SimulateWords {
  std::function<std::string(const Model&)> header;
  std::function<void(const Model&, const SimulateResult&, const TextSink&)> report;
};

// Returns the exit code.
int simulate_command(Options options, const SimulateWords& words = {});

}  // namespace strata
