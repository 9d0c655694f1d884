// `strata check MODEL`: search for errors; `strata resume DIR`: go on with it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "native/native.h"
#include "options/options.h"
#include "report/text_sink.h"
#include "search/algorithms.h"

namespace strata {

// In which words a check tells of itself; those that are empty are the usual ones.
struct CheckWords {
  // Before the search; the symmetry is null where states are not reduced by one.
  std::function<std::string(const Model&, const Symmetry*, const Algorithm&, const SearchOptions&,
                            const native::LoadStats&)>
      header;
  // Lives as long as the search.
  std::function<std::shared_ptr<void>(const ProgressBoard&)> watch;
  // The result as text.
  std::function<void(const Model&, const SearchResult&, const RunInfo&, const TextSink&)> report;
};

// Both return the exit code.
int check_command(const Options& options, const CheckWords& words = {});
int resume_command(const Options& options);

}  // namespace strata
