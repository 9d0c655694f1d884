// How generated text does what C++ alone has no common form for: an expression that needs statements, and failing. All
// emitters ask the target of their Output. There are two:
//
//   host     GNU's statement expressions; failures are exceptions (native/runtime/failing.h)
//   device   lambdas that are called at once; failures are noted in state.fault (runtime/device_failing.cuh), and the
//            code after them continues with harmless values, which stay in the range of their types
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::native {

class Target {
 public:
  enum class Kind { host, device };
  // `unrolls`: short loops are to be unrolled, so that small states stay in registers.
  explicit Target(Kind kind = Kind::host, bool unrolls = false) : kind_(kind), unrolls_(unrolls) {}

  bool is_device() const { return kind_ == Kind::device; }

  // An expression that runs the statements and then has the value. It may refer to what they declare.
  std::string sequence(std::string_view statements, std::string_view value) const;

  // What a function of the run-time support gets to fail with at this site.
  std::string site(uint32_t site) const;
  // The type of that, as a parameter.
  const char* site_type() const { return is_device() ? "Site" : "u32"; }
  // A call of a function of the run-time support that fails at this site.
  std::string checked(std::string_view function, std::string_view arguments, uint32_t site) const;
  // A value that may be kUndefined and must not be; `harmless` is what it may be after a failure.
  std::string defined(std::string_view value, std::string_view harmless, uint32_t site) const;
  // Statements without their semicolons: failing, with a value if there is one; leaving a transition that
  // does not exist because an assumption does not hold.
  std::string fail(uint32_t site, std::string_view value = "") const;
  std::string discard() const;
  // Around statements that may fail. The handler finds the failure as `fault`: its site and value. (Host.)
  std::string begin_attempt() const;
  std::string end_attempt(std::string_view handler) const;
  // In a handler: whether an assumption did not hold. (Host.)
  std::string is_discarded() const;
  // A condition of loops that might not end after a failure: && that there was none. Empty where failures end them.
  const char* and_nothing_failed() const { return is_device() ? " && state.fault.what == 0" : ""; }

  // The statement, without its semicolon, that notes a cover.
  std::string cover(uint32_t property) const;
  // Before the head of a loop with this many rounds.
  const char* unroll(uint64_t rounds) const;
  // Whether an element of an array of this size is to be chosen by comparing its position with each: an array whose
  // positions are computed would keep the whole state out of registers.
  bool chooses_elements(uint64_t size) const;
  // Before a function that is worth having where it is called, or apart from its callers.
  const char* inlined() const { return is_device() ? "STRATA_INLINE " : "static "; }
  const char* apart() const { return is_device() ? "STRATA_APART " : "[[gnu::noinline]] static "; }

 private:
  Kind kind_;
  bool unrolls_;
};

}  // namespace strata::native
