// `strata check MODEL`: search for errors; `strata resume DIR`: continue a search.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "native/native.h"
#include "options/options.h"
#include "report/text_sink.h"
#include "search/algorithms.h"

namespace strata {

// Replacements for the texts of a check; an empty function means the usual text.
struct CheckWords {
  // Printed before the search; the symmetry is null if states are not reduced.
  std::function<std::string(const Model&, const Symmetry*, const Algorithm&, const SearchOptions&,
                            const native::LoadStats&)>
      header;
  // Its result lives as long as the search.
  std::function<std::shared_ptr<void>(const ProgressBoard&)> watch;
  // The result as text.
  std::function<void(const Model&, const SearchResult&, const RunInfo&, const TextSink&)> report;
};

// Both return the exit code.
int check_command(const Options& options, const CheckWords& words = {});
int resume_command(const Options& options);

}  // namespace strata
