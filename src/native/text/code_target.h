// How generated text does what C++ alone has no common form for: an expression that needs statements, and failing. All
// emitters ask the target of their Output, so code for another kind of machine can have other forms. This is the host:
// GNU's statement expressions, and failures by exceptions (native/runtime/failing.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::native {

class Target {
 public:
  // An expression that runs the statements and then has the value. It may refer to what they declare.
  std::string sequence(std::string_view statements, std::string_view value) const;

  // A call of a function of the run-time support that fails at this site.
  std::string checked(std::string_view function, std::string_view arguments, uint32_t site) const;
  // Statements without their semicolons: failing, with a value if there is one; leaving a transition that
  // does not exist because an assumption does not hold.
  std::string fail(uint32_t site, std::string_view value = "") const;
  std::string discard() const;
  // Around statements that may fail. The handler finds the failure as `fault`: its site and value.
  std::string begin_attempt() const;
  std::string end_attempt(std::string_view handler) const;
  // In a handler: whether an assumption did not hold.
  std::string is_discarded() const;
};

}  // namespace strata::native
