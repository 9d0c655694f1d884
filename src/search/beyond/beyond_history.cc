#include "search/beyond/beyond_history.h"

namespace strata {

Status BeyondHistory::visit(uint64_t epoch, const Visit& visit) {
  return search_.in_windows(search_.level_of(epoch),
                            [&](uint64_t n) { return search_.parts_.before.reader().visit(0, n, visit); });
}

Status BeyondHistory::visit_predecessors(uint64_t epoch, const Targets& targets, const Visit& visit) {
  return search_.in_windows(search_.level_of(epoch), [&](uint64_t n) {
    return search_.parts_.before.reader().visit_predecessors(0, n, lanes_, targets, visit);
  });
}

}  // namespace strata
