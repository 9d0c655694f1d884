#include "engine/contract/search_context.h"

#include <algorithm>
#include <cmath>

#include "base/text/units.h"

namespace strata {

std::string SearchOptions::given_memory() const { return mebibytes_text(memory + lent); }

std::string SearchOptions::enough_memory(uint64_t bytes) const {
  const double given = static_cast<double>(memory + lent);
  const double factor = memory == 0 ? 1 : given / static_cast<double>(memory);
  const auto scaled = static_cast<uint64_t>(std::ceil(factor * static_cast<double>(bytes)));
  return whole_mebibytes_text(std::max(scaled, bytes + lent));
}

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
