#include "native/text/code_target.h"

#include <fmt/format.h>

namespace strata::native {

// Loops of more rounds stay loops.
constexpr uint64_t kUnrolledRounds = 10;

std::string Target::sequence(std::string_view statements, std::string_view value) const {
  return is_device() ? fmt::format("[&] {{ {} return {}; }}()", statements, value)
                     : fmt::format("({{ {} {}; }})", statements, value);
}

std::string Target::site(uint32_t site) const { return is_device() ? "state.fault" : std::to_string(site); }

std::string Target::checked(std::string_view function, std::string_view arguments, uint32_t site) const {
  return fmt::format("{}({}, {})", function, arguments, this->site(site));
}

std::string Target::defined(std::string_view value, std::string_view harmless, uint32_t site) const {
  return is_device() ? fmt::format("defined_or({}, {}, state.fault)", value, harmless)
                     : checked("defined", value, site);
}

std::string Target::fail(uint32_t site, std::string_view value) const {
  if (is_device()) return "fail(state.fault)";
  return value.empty() ? fmt::format("fail({})", site) : fmt::format("fail({}, {})", site, value);
}

std::string Target::discard() const { return is_device() ? "discard(state.fault)" : "fail(kDiscard)"; }

std::string Target::begin_attempt() const { return "try {"; }

std::string Target::end_attempt(std::string_view handler) const {
  return fmt::format("}} catch (const Fault& fault) {{ {} }}", handler);
}

std::string Target::is_discarded() const { return "fault.site == kDiscard"; }

std::string Target::cover(uint32_t property) const {
  return is_device() ? fmt::format("state.covered[{}] |= 1u << {}", property / 32, property % 32)
                     : fmt::format("current_call->covered[{}] = 1", property);
}

bool Target::chooses_elements(uint64_t size) const { return unrolls_ && size <= kUnrolledRounds; }

const char* Target::unroll(uint64_t rounds) const {
  return unrolls_ && rounds <= kUnrolledRounds ? "_Pragma(\"unroll\") " : "";
}

}  // namespace strata::native
