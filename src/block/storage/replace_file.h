// Small files that are there as a whole, old or new, whenever a process is killed or the power fails.
#pragma once

#include <string>

#include "base/status.h"

namespace strata {

// Writes FOLDER/NAME.new, syncs it, renames it to FOLDER/NAME, and syncs the folder. When it fails, the old file is
// still there; only where the last sync failed, the new one may be.
Status replace_file(const std::string& folder, const std::string& name, const std::string& text);

}  // namespace strata
