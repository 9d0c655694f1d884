#include "native/text/code_target.h"

#include <fmt/format.h>

namespace strata::native {

std::string Target::sequence(std::string_view statements, std::string_view value) const {
  return fmt::format("({{ {} {}; }})", statements, value);
}

std::string Target::checked(std::string_view function, std::string_view arguments, uint32_t site) const {
  return fmt::format("{}({}, {})", function, arguments, site);
}

std::string Target::fail(uint32_t site, std::string_view value) const {
  return value.empty() ? fmt::format("fail({})", site) : fmt::format("fail({}, {})", site, value);
}

std::string Target::discard() const { return "fail(kDiscard)"; }

std::string Target::begin_attempt() const { return "try {"; }

std::string Target::end_attempt(std::string_view handler) const {
  return fmt::format("}} catch (const Fault& fault) {{ {} }}", handler);
}

std::string Target::is_discarded() const { return "fault.site == kDiscard"; }

}  // namespace strata::native
