#include "explore/algorithm/search_context.h"

#include <algorithm>

namespace strata {

SearchOptions SearchOptions::after(double seconds) const {
  SearchOptions options = for_paths();
  if (time_limit) options.time_limit = std::max(*time_limit - seconds, 0.001);
  return options;
}

SearchOptions SearchOptions::for_paths() const {
  SearchOptions options = *this;
  options.time_limit.reset();
  if (!disk.keep_folder.empty()) options.disk.disks = {disk.keep_folder};
  options.disk.keep_folder.clear();
  return options;
}

}  // namespace strata
