// A file that was created, renamed or removed is safe on disk only after its folder is synced.
#pragma once

#include <string>

namespace strata {

// False, with errno, if the folder could not be synced.
bool sync_folder(const std::string& folder);

}  // namespace strata
