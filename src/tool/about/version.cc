#include "tool/about/version.h"

#include <fmt/format.h>

#include "options/options.h"
#include "tool/about/devices.h"

namespace strata {

namespace embedded {
extern const char* const kCommit;
}

std::string version_text() {
  const std::string commit = embedded::kCommit;
  return fmt::format("strata {}\n{}features: {}\nGPUs: {}\n", STRATA_VERSION,
                     commit.empty() ? "" : "commit " + commit + "\n", STRATA_FEATURES,
                     devices_line(device::list_devices(device::library_places())));
}

}  // namespace strata
