#include "report/run_info.h"

#include <fmt/format.h>

namespace strata {

const char* deadlock_name(DeadlockMode mode) {
  switch (mode) {
    case DeadlockMode::off: return "off";
    case DeadlockMode::stuck: return "stuck";
    case DeadlockMode::stuttering: return "stuttering";
  }
  return "";
}

std::string store_name(StoreMode store) {
  return store.exact() ? "states" : fmt::format("signatures:{}", store.signature_bits);
}

}  // namespace strata
